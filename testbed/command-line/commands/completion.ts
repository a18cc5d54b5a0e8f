import { Argument, type Command } from 'commander'
import { programCommand } from '#scenarios/harness/command-line.ts'
import { print } from '../terminal.ts'

export const summary = 'print the completion script of a shell'

export const examples = [
  ['completion bash >> ~/.bashrc', 'for bash'],
  ['completion zsh >> ~/.zshrc', 'for zsh'],
  ['completion fish > ~/.config/fish/completions/testbed.fish', 'for fish'],
] as const

/** The names under which the program is on a PATH: in the repository and in the npm package. */
const programs = ['testbed', 'lear-testbed'] as const

export function configure(command: Command): void {
  const shells = ['bash', 'zsh', 'fish'] as const
  command
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText(
      'after',
      `\nCompletes ${programs.join(' and ')} by name, also as ${programCommand}.`,
    )
    .action(async (shell: (typeof shells)[number]) => {
      // Loaded here because this module is one of those that it loads.
      const { addCommand, commandNames, createProgram } = await import('../run-command-line.ts')
      const program = createProgram()
      for (const name of commandNames()) await addCommand(program, name)
      print(scripts[shell](listWords(program)))
    })
}

/** What may follow the words of a command line, by these words: `''`, `wallet`, `wallet accept`. */
type WordTable = ReadonlyMap<string, readonly string[]>

function listWords(program: Command): WordTable {
  const table = new Map<string, readonly string[]>()
  const visit = (command: Command, path: readonly string[]) => {
    const names = command.commands.map((each) => each.name())
    const options = command.options.flatMap(({ long }) => long ?? [])
    const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
    table.set(path.join(' '), [...names, ...choices, ...options, '--help'])
    for (const each of command.commands) visit(each, [...path, each.name()])
  }
  visit(program, [])
  return table
}

/**
 * Shell functions for bash (3.2 of macOS too) and zsh: the words that may follow a path of command
 * and subcommand, and the path in the words before the cursor.
 */
const functionsOf = (table: WordTable) => `_lear_testbed_words() {
  case "$1" in
${[...table].map(([path, words]) => `    '${path}') echo '${words.join(' ')}';;`).join('\n')}
  esac
}
_lear_testbed_at() {
  local at='' word
  for word in "$@"; do
    case "$word" in -*) continue;; esac
    case " $(_lear_testbed_words "$at") " in *" $word "*) at="\${at:+$at }$word";; esac
  done
  echo "$at"
}`

const scripts: Readonly<Record<'bash' | 'zsh' | 'fish', (table: WordTable) => string>> = {
  bash: (table) => `${functionsOf(table)}
_lear_testbed() {
  local at
  at=$(_lear_testbed_at "\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY=($(compgen -W "$(_lear_testbed_words "$at")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _lear_testbed ${programs.join(' ')}`,

  zsh: (table) => `autoload -Uz compinit && compinit
${functionsOf(table)}
_lear_testbed() {
  local at="$(_lear_testbed_at "\${(@)words[2,CURRENT-1]}")"
  compadd -- \${=$(_lear_testbed_words "$at")} || _files
}
compdef _lear_testbed ${programs.join(' ')}`,

  fish: (table) =>
    programs
      .flatMap((program) =>
        [...table].map(([path, words]) => {
          const seen = path === '' ? '__fish_use_subcommand' : seenIn(path)
          return `complete -c ${program} -n '${seen}' -a '${words.join(' ')}'`
        }),
      )
      .join('\n'),
}

const seenIn = (path: string) =>
  path
    .split(' ')
    .map((word) => `__fish_seen_subcommand_from ${word}`)
    .join('; and ')
