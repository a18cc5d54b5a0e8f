import { signedResultFormatRule } from '#conformance/kit/evidence/verify-signature.ts'
import { signedResultRules } from '#conformance/kit/evidence/verify-signed-result.ts'
import { statementRules } from '#conformance/kit/evidence/verify-statement.ts'
import { allDefects } from '#conformance/world/defects/create-credential-with-defect.ts'
import { adviceFor } from '#core/explanation/create-explanation.ts'
import { joinTexts, type MessageRules, messageRules } from '#core/explanation/rule-texts.ts'
import { paragraphOfRule } from '#core/profile/rule-paragraphs.ts'
import type { RuleText } from '#core/verification/rules.ts'
import { accountRule } from '#services/idp/domain/login.ts'
import { responseRules } from '#services/verifier/domain/verify-response.ts'
import { allFaults } from '#wallet-emulator/faults/find-faults.ts'
import { describeDefect, describeFault } from './describe-deviation.ts'
import { code, plain, table } from './markdown.ts'

/** What the testbed can send that breaks the rule, with the command that makes it. */
function examplesOf(rule: string): string[] {
  const defects = allDefects
    .filter((defect) => defect.rule === rule)
    .map((defect) => describeDefect(defect, '../../reference'))
  const faults = allFaults
    .filter(({ expected }) => 'rule' in expected && expected.rule === rule)
    .map(describeFault)
  return [...defects, ...faults]
}

function rulePage(message: string, { rule, statement, fix, path }: RuleText): string {
  const examples = examplesOf(rule)
  const paragraph = paragraphOfRule(rule)?.replace('docs/', '../../').replace('README', 'index')
  const profile = paragraph === undefined ? '' : ` The profile describes it [here](${paragraph}).`
  const where = path === '' ? 'It looks at the message as a whole.' : `It looks at \`${path}\`.`
  return `# ${rule}

${plain(statement)}

## What it means

This rule is about: ${message.toLowerCase()}. ${where} \`testbed verify\` evaluates it, and so does each service that receives such a message, under the same name.${profile}

## An example that breaks it

${
  examples.length > 0
    ? examples.join('\n')
    : `A message of this kind in which the following does not hold: ${plain(statement)}`
}

## How to fix it

${plain(fix)}

If the rule could not be checked: ${plain(adviceFor(rule))}

All rules: [Rules](../../reference/rules.md). Check a message of yours: [Explain a message](../../guides/explain-a-message.md).
`
}

/**
 * A page for each rule by path (`rules/credential/power.md`: with a dot, a name looks like a file with
 * an extension), made of the row that also gives the fix in `testbed verify` and in reports.
 */
export function createRulePages(): Map<string, string> {
  return new Map(
    listRules().flatMap(({ message, rules }) =>
      rules.map(
        (each) => [`rules/${each.rule.replace('.', '/')}.md`, rulePage(message, each)] as const,
      ),
    ),
  )
}

/** `docs/reference/rules.md`: every rule that messages are checked against. */
export function createRulesPage(): string {
  const columns = ['rule', 'where', 'what must be true', 'how to fix it']
  const sections = listRules().map(({ message, rules }) => {
    const rows = rules.map(({ rule, path, statement, fix }) => [
      code(rule),
      path === '' ? 'the whole message' : code(path),
      plain(statement),
      plain(fix),
    ])
    return `## ${message}\n\n${table(columns, rows)}`
  })
  return `# Rules

Generated from the rules in \`core/\` by \`node scripts/check-configuration.ts --write\`; do not edit.

The wallet, the issuer and the verifier check messages against these rules, and \`testbed verify\` explains a message by them: see [Explain a message](../guides/explain-a-message.md). All rules of a message are evaluated, even after one fails. On the documentation site each rule has its own page, with examples that break it.

${sections.join('\n\n')}
`
}

/** Rules of the services, by the message that they are about. */
const serviceRules: Readonly<Record<string, readonly RuleText[]>> = {
  Presentation: [...responseRules, accountRule],
}

const lists: readonly MessageRules[] = [
  ...messageRules.map(({ message, rules }) => ({
    message,
    rules: [...rules, ...(serviceRules[message] ?? [])],
  })),
  {
    message: 'Signed conformance result',
    rules: [signedResultFormatRule, ...signedResultRules],
  },
  {
    message: 'Signed conformance statement',
    rules: statementRules,
  },
]

/**
 * Every rule once, under the first message that it is about. A rule with several rows, such as one of
 * the parameters and one of the signature, has the texts of all of them.
 */
export function listRules(): { readonly message: string; readonly rules: RuleText[] }[] {
  const rows = Map.groupBy(
    lists.flatMap(({ rules }) => rules),
    ({ rule }) => rule,
  )
  return lists.map(({ message, rules }) => ({
    message,
    rules: rules.flatMap((row) => {
      const [first, ...others] = rows.get(row.rule) ?? []
      return first === undefined || row !== first ? [] : [joinTexts([first, ...others])]
    }),
  }))
}
