import { lintDialect } from '#core/dialect/lint-dialect.ts'
import { maskSecrets, maskText } from '#core/json/mask-secrets.ts'
import { paragraphOfRule } from '#core/profile/rule-paragraphs.ts'
import type { CheckedRule, RuleResults, VerificationFailure } from '#core/verification/rules.ts'
import type {
  ExplainedContent,
  ExplainedRule,
  Explanation,
  RuleFinding,
  RuleVerdict,
} from './explanation.ts'

export interface ExplanationOf {
  readonly kind: string
  readonly title: string
  readonly recognisedBy: string
}

/**
 * Creates the explanation from the results of a kind: a verdict per rule and overall, without
 * secrets.
 */
export function createExplanation(
  { kind, title, recognisedBy }: ExplanationOf,
  { facts, content, notes = [], parts = [], dialect, ...results }: ExplainedContent,
): Explanation {
  const rules = explainRules(results)
  return {
    kind,
    title,
    recognisedBy,
    verdict: verdictOf(rules, parts),
    facts: facts.map(({ label, value }) => ({ label, value: maskText(value) })),
    rules,
    notes,
    ...(dialect ? { dialect: lintDialect(dialect.kind, dialect.message) } : {}),
    content: maskSecrets(content),
    parts,
    lookedFor: [],
  }
}

function verdictOf(
  rules: readonly ExplainedRule[],
  parts: readonly Explanation[],
): Explanation['verdict'] {
  const verdicts = [...rules, ...parts].map(({ verdict }) => verdict)
  if (verdicts.some((verdict) => verdict === 'broken' || verdict === 'unrecognised')) {
    return 'broken'
  }
  return verdicts.includes('not-checked') ? 'not-checked' : 'holds'
}

function explainRules({ checked, failures }: RuleResults): readonly ExplainedRule[] {
  const rules = new Map<string, CheckedRule>()
  for (const entry of checked) {
    const name = `${entry.rule} ${entry.path ?? ''}`
    const known = rules.get(name)
    // A rule of the parameters and a rule of the signature may concern the same member.
    const statement = known ? `${known.statement} ${entry.statement}` : entry.statement
    const fix = [known?.fix, entry.fix].filter((text) => text !== undefined).join(' ')
    rules.set(name, {
      ...entry,
      statement,
      ...(fix === '' ? {} : { fix }),
      notes: [...(known?.notes ?? []), ...entry.notes],
    })
  }
  return [...rules.values()].map((entry) => explainRule(entry, failures))
}

function explainRule(
  { rule, path = '', statement, fix, notes }: CheckedRule,
  failures: readonly VerificationFailure[],
): ExplainedRule {
  const own = failures.filter(
    (failure) =>
      failure.rule === rule &&
      (path === '' || failure.path === path || failure.path.startsWith(`${path}.`)),
  )
  const verdict: RuleVerdict =
    own.length === 0
      ? 'held'
      : own.some(({ unchecked }) => unchecked === undefined)
        ? 'broken'
        : 'not-checked'
  const advice = verdict === 'not-checked' ? adviceFor(rule) : fix
  const paragraph = paragraphOfRule(rule)
  return {
    rule,
    statement,
    ...(path === '' ? {} : { path }),
    verdict,
    findings: own.map(toFinding),
    notes: notes.map(maskText),
    ...(advice === undefined ? {} : { advice }),
    ...(paragraph === undefined ? {} : { paragraph }),
  }
}

function toFinding({ reason, path, got, unchecked }: VerificationFailure): RuleFinding {
  return {
    reason: maskText(reason),
    path,
    ...(got === undefined ? {} : { got }),
    ...(unchecked === undefined ? {} : { unchecked }),
  }
}

/** What to provide for rules that need input from the user, not from a registry. */
const notKnown: Readonly<Record<string, string>> = {
  'presentation.audience': "Specify the verifier: the request's client_id.",
  'presentation.nonce': 'Specify the nonce of the request.',
  'submission.descriptor-map': "Specify the query: the id in the request's dcql_query.",
  'proof.aud': 'Specify the credential issuer.',
  'proof.nonce': 'Specify the c_nonce of the session.',
  'metadata.issuer': 'Specify the issuer that it was fetched for.',
  'offer.reference': 'Allow fetching, or provide the content of that address.',
  'request.reference': 'Allow fetching, or provide the content of that address.',
  'signed-result.curve': 'Provide the public key with --key.',
  'signed-result.signature': 'Provide the public key with --key.',
  'signed-result.digest': 'Put the results.json of the run into the same folder.',
  'signed-result.verdicts': 'Put the results.json of the run into the same folder.',
  'statement.files': 'Put all files of the statement into the same folder.',
  'statement.verdicts': 'Put all files of the statement into the same folder.',
}

const askRegistries =
  'Specify the registries and the root of its environment, and check that they are available.'

/** Returns what to provide so that a rule can be checked. */
export const adviceFor = (rule: string): string => notKnown[rule] ?? askRegistries
