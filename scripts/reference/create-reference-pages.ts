import type { Argument, Command, Option } from 'commander'
import { z } from 'zod'
import { faultNames } from '#kit/runtime.ts'
import { controlsTexts } from '#testbed/console/controls/texts.ts'
import { controlRoutes } from '#testbed/control/routes.ts'
import {
  addCommand,
  commandNames,
  createProgram,
} from '../../testbed/command-line/run-command-line.ts'
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

interface Answer {
  readonly description: string
  readonly body?: unknown
}

function typeOf({ type, enum: values, items, anyOf }: JsonSchema): string {
  if (values !== undefined) return values.map((value) => code(JSON.stringify(value))).join(', ')
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' or ')
  if (type === 'array') return `list of ${typeOf(items ?? {})}`
  return type === undefined ? 'any value' : [type].flat().join(' or ')
}

/** The members of an answer, such as `{id, powers: [{action}], pin?}`; '' if it is not an object. */
function shapeOf({ properties, required = [], items, anyOf }: JsonSchema): string {
  if (items !== undefined) return shapeOf(items).replace(/^.+$/, '[$&]')
  if (anyOf !== undefined) return anyOf.map(shapeOf).find(Boolean) ?? ''
  if (properties === undefined) return ''
  const each = Object.entries(properties).map(([name, member]) =>
    [required.includes(name) ? name : `${name}?`, shapeOf(member)].filter(Boolean).join(': '),
  )
  return `{${each.join(', ')}}`
}

function describeAnswer([status, { description, body }]: [string, Answer]): string {
  const schema = body instanceof z.ZodType ? z.toJSONSchema(body, { unrepresentable: 'any' }) : {}
  const shape = shapeOf(schema as JsonSchema)
  return `- ${status}: ${plain(description)}${shape && `: ${code(shape)}`}`
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
    const answers = Object.entries<Answer>(responses).map(describeAnswer)
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

\`{env}\` is \`pre\` or \`pro\`. Calls that need the testbed's own chain return 409 on an external chain. Braces contain the members of an answer; \`?\` marks a member that can be missing.

## Faults

A fault cuts the testbed's own services off from one dependency, until it is switched off. Other clients still reach the dependency directly.

${table(
  ['fault', 'effect'],
  faultNames.map((name) => [code(name), controlsTexts.en.faults.names[name]]),
)}

## Calls

${sections.join('\n\n')}
`

/** The name that pages use, in a clone and in the npm package alike. */
const program = 'testbed'

function defaultOf({ defaultValue, defaultValueDescription, negate }: Option): string {
  if (negate || defaultValue === undefined || defaultValue === false) return ''
  return code(defaultValueDescription ?? String(defaultValue))
}

function describe({ description, argChoices }: Argument | Option): string {
  const choices = argChoices === undefined ? '' : ` (${argChoices.map(code).join(', ')})`
  return `${plain(description)}${choices}`
}

function section(command: Command, parents: readonly string[]): string[] {
  const path = [...parents, command.name()]
  const usage = [
    ...path,
    command
      .usage()
      .replace(
        '[options] [command]',
        command.registeredArguments.length === 0 ? 'COMMAND' : '[options]',
      ),
  ].join(' ')
  const { registeredArguments, options, commands } = command
  // Every command has these two; the page says so once.
  const own = options.filter(({ long }) => long !== '--json' && long !== '--verbose')
  const parts = [
    `${'#'.repeat(path.length)} ${path.slice(1).join(' ')}`,
    sentence(plain(command.description())),
    `\`\`\`text\n${usage}\n\`\`\``,
    ...(registeredArguments.length === 0
      ? []
      : [
          table(
            ['argument', 'meaning'],
            registeredArguments.map((argument) => [code(argument.name()), describe(argument)]),
          ),
        ]),
    ...(own.length === 0
      ? []
      : [
          table(
            ['option', 'meaning', 'default'],
            own.map((option) => [code(option.flags), describe(option), defaultOf(option)]),
          ),
        ]),
  ]
  return [...parts, ...commands.flatMap((each) => section(each, path))].filter(Boolean)
}

const sentence = (text: string) =>
  text === '' ? '' : `${text[0]?.toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`

/** `docs/reference/command-line.md`: every command with its arguments and options. */
export async function createCommandLinePage(): Promise<string> {
  const root = createProgram()
  for (const name of commandNames()) await addCommand(root, name)
  const sections = root.commands.flatMap((command) => section(command, [program]))
  return `# Command line

Generated from \`testbed/command-line/\` by \`node scripts/check-configuration.ts --write\`; do not edit.

In a clone the program is \`bin/testbed\`, with the npm package \`npx lear-testbed\`; these pages call it \`testbed\`. \`testbed --help\` lists the commands, and \`testbed COMMAND --help\` shows one. Each command takes \`--json\` (print the output as JSON) and \`--verbose\` (print the causes of errors).

| exit code | meaning |
| --- | --- |
| 0 | success |
| 1 | something failed: a scenario, a check or a rule |
| 2 | wrong usage or configuration |
| 3 | the testbed did not start, or none is running |
| 130 | interrupted |

${sections.join('\n\n')}
`
}
