import { type PlanName, planNames } from '#conformance/kit/check.ts'
import { clauseText } from '#conformance/kit/describe-check.ts'
import { type LoadedCheck, loadChecks } from '#conformance/kit/load-checks.ts'
import type { LoadedMutant } from '#conformance/kit/mutant.ts'
import { findDefect } from '#conformance/world/defects/create-credential-with-defect.ts'
import { paragraphOf, textOf } from '#core/profile/paragraph.ts'
import { loadMutants } from '#test/conformance/mutation/install-mutants.ts'
import { findFault } from '#wallet-emulator/faults/find-faults.ts'
import { describeDefect, describeFault } from './describe-deviation.ts'
import { plain } from './markdown.ts'

const levels = {
  spec: 'A statement of the profile requires it: breaking it is a FAIL.',
  final:
    'A clause of a final OpenID standard, or of a standard below it, requires it: breaking it is a WARN, and a FAIL with `--strict`.',
  practice: 'It is good practice: breaking it is a WARN, and a FAIL with `--strict`.',
}

const expectations = {
  accept: 'The system must accept it or do it.',
  refuse: 'The system must reject it.',
  advice: 'The system should do it.',
}

/** What the control of a check is for. */
const premises = {
  accept: 'A failure counts only if the system',
  refuse: 'A rejection counts only if the system',
  advice: 'A result counts only if the system',
}

const kinds: Readonly<Record<PlanName, string>> = {
  wallet: 'A wallet',
  verifier: 'A verifier',
  issuer: 'An issuer',
  idp: 'An IDP',
  'relying-party': 'A relying party',
  'did-registry': 'A DID registry',
  tir: 'A TIR',
}

function checkPage(plan: PlanName, check: LoadedCheck, mutants: readonly LoadedMutant[]): string {
  const { id, title, level, expectation, description, sends, decides } = check
  const { rows = [], clauses = [], control, needs = [], fix, deviations = [] } = check
  const sources = [
    ...rows.map(
      (id) =>
        `- [${id}](${paragraphOf(id).replace('docs/', '../').replace('README', 'index')}): ${plain(textOf(id))}`,
    ),
    ...clauses.map((clause) => `- ${plain(clauseText(clause))}`),
  ]
  const examples = deviations.flatMap((name) => {
    const defect = findDefect(name)
    const fault = findFault(name)
    return [
      ...(defect ? [describeDefect(defect, '../reference')] : []),
      ...(fault ? [describeFault(fault)] : []),
    ]
  })
  // The list of the deviations says it already.
  const isListed = examples.length > 0 && examples.length === deviations.length
  const sent = isListed ? [] : [plain(sends)]
  const caught = mutants.filter((mutant) => mutant.check === id)
  return `# ${id}: ${plain(title)}

Plan \`${plan}\`, level \`${level}\`. ${levels[level]} ${expectations[expectation]}

## What it means

${plain(description)}

## What the kit sends

${[...sent, ...examples].join('\n\n')}

**Verdict:** ${plain(decides)}${control === undefined ? '' : `\n\n${premises[expectation]} passes the control \`${control}\`: it accepts a valid message.`}${needs.length === 0 ? '' : `\n\nThe target must offer: ${needs.map((need) => `\`${need}\``).join(', ')}.`}

## An example that breaks it

${caught.map(({ deviation }) => `- ${kinds[plan]} that ${plain(deviation)}.`).join('\n')}

## How to fix it

${plain(fix)}

Then run only this check: \`testbed conformance ${plan} '^${id}$' --target my-${plan}.yaml\`
${sources.length === 0 ? '' : `\n## Source\n\n${sources.join('\n')}\n`}
All checks: [Conformance checks](../reference/conformance-checks.md).
`
}

/** A page for each check of each plan by path, made of its row in the table of checks. */
export async function createCheckPages(): Promise<Map<string, string>> {
  const pages = await Promise.all(
    planNames.map(async (plan) => {
      const [checks, mutants] = await Promise.all([loadChecks(plan), loadMutants(plan)])
      return checks.map(
        (check) => [`checks/${check.id}.md`, checkPage(plan, check, mutants)] as const,
      )
    }),
  )
  return new Map(pages.flat())
}
