import type { Argument, Command, Option } from 'commander'
import {
  addCommand,
  commandNames,
  createProgram,
} from '../../testbed/command-line/run-command-line.ts'
import { code, plain, table } from '../documentation/markdown.ts'

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
| 3 | the testbed did not start |
| 130 | interrupted |

${sections.join('\n\n')}
`
}
