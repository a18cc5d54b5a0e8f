import { listRules } from '../documentation/list-rules.ts'
import { code, plain, table } from '../documentation/markdown.ts'

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

/** `docs/reference/rules.md`: every rule that messages are checked against. */
export const rulesPage = `# Rules

Generated from the rules in \`core/\` by \`node scripts/check-configuration.ts --write\`; do not edit.

The wallet, the issuer and the verifier check messages against these rules, and \`testbed verify\` explains a message by them: see [Explain a message](../guides/explain-a-message.md). All rules of a message are evaluated, even after one fails. On the documentation site each rule has its own page, with examples that break it.

${sections.join('\n\n')}
`
