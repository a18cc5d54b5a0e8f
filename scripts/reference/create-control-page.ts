import { z } from 'zod'
import { faultNames } from '#kit/runtime.ts'
import { controlRoutes } from '#testbed/control/routes.ts'
import { code, plain, table } from '../documentation/markdown.ts'

interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
}

function typeOf({ type, enum: values, items, anyOf }: JsonSchema): string {
  if (values !== undefined) return values.map((value) => code(JSON.stringify(value))).join(', ')
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' or ')
  if (type === 'array') return `list of ${typeOf(items ?? {})}`
  return type === undefined ? 'any value' : [type].flat().join(' or ')
}

/** The members of an object, or nothing if the schema is not an object. */
function members(heading: string, schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return []
  const { properties, required = [] } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as JsonSchema
  if (properties === undefined) return []
  const rows = Object.entries(properties).map(([name, member]) => [
    code(name),
    typeOf(member),
    required.includes(name) ? 'yes' : '',
    plain(member.description ?? ''),
  ])
  return rows.length === 0 ? [] : [table([heading, 'type', 'required', 'meaning'], rows)]
}

const sections = controlRoutes
  .filter((route) => !('documented' in route && route.documented === false))
  .map(({ method, path, summary, request, responses, ...route }) => {
    const answers = Object.entries(responses).map(
      ([status, { description }]) => `- ${status}: ${plain(description)}`,
    )
    const { description } = route as { readonly description?: string }
    const { body, query } = (request ?? {}) as { body?: z.ZodType; query?: z.ZodType }
    return [
      `### ${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`,
      `${plain(summary)}.`,
      ...(description === undefined ? [] : [plain(description)]),
      ...members('query', query),
      ...members('body', body),
      answers.join('\n'),
    ].join('\n\n')
  })

/** `docs/reference/control-interface.md`: every call of the control interface. */
export const controlPage = `# Control interface

Generated from \`testbed/control/\` by \`node scripts/check-configuration.ts --write\`; do not edit.

The control interface changes a running testbed: it moves the clock, holds mining, breaks dependencies, creates tokens and offers, and keeps snapshots. Its address and token are \`control.url\` and \`control.token\` in \`testbed.json\`. Send the token as a Bearer token. \`/control/docs\` at the console shows the same calls with examples, to try out.

\`\`\`sh
field() { node -p "JSON.parse(fs.readFileSync('.testbed/testbed.json')).$1"; }
curl -s -H "authorization: Bearer $(field control.token)" "$(field control.url)/clock"
\`\`\`

\`{env}\` is \`pre\` or \`pro\`. Calls that need the testbed's own chain answer 409 on an external chain.

## Faults

A fault breaks one dependency of the services on purpose, until it is switched off: ${faultNames.map(code).join(', ')}.

## Calls

${sections.join('\n\n')}
`
