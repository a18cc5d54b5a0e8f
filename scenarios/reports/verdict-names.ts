import type { Verdict } from '#scenarios/harness/z-results.ts'

/** What verdicts are called where there is no room for more than a word. */
export const verdictNames: Readonly<Record<Verdict, string>> = {
  passed: 'passed',
  failed: 'failed',
  warned: 'warning',
  inconclusive: 'inconclusive',
  interrupted: 'interrupted',
  'not-run': 'not run',
}

/** As the conformance kit writes verdicts, so that they are told apart without colours. */
export const checkWords: Readonly<Record<Verdict, string>> = {
  passed: 'PASS',
  failed: 'FAIL',
  warned: 'WARN',
  inconclusive: 'INCONCLUSIVE',
  interrupted: 'INTERRUPTED',
  'not-run': 'NOT RUN',
}

/** What a verdict of the conformance kit says of the system under test. */
export const checkMeanings: Readonly<Record<Verdict, string>> = {
  passed: 'It does what is demanded.',
  failed: 'It breaks what is demanded.',
  warned: 'It breaks what only a final standard or good practice asks for.',
  inconclusive: 'Nothing was observed that shows either.',
  interrupted: 'Cut off.',
  'not-run': 'Not begun.',
}

/** Verdicts of checks in the order in which a reader needs them. */
export const checkOrder = [
  'failed',
  'warned',
  'inconclusive',
  'interrupted',
  'not-run',
  'passed',
] as const satisfies readonly Verdict[]

/** Who demands what a check is about. */
export const levelNames = {
  spec: 'demanded by the documents',
  final: 'demanded by the final OpenID standards or what they build on, not by the documents',
  practice: 'good practice, which nobody demands',
} as const
