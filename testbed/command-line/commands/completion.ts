import { Argument, type Command } from 'commander'
import { programCommand } from '#scenarios/harness/command-line.ts'
import { print, printJson } from '../terminal.ts'

export const summary = 'print a completion script for a shell'

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
    .action(async (shell: (typeof shells)[number], { json }: { readonly json?: boolean }) => {
      // Loaded here because this module is one of those that it loads.
      const { addCommand, commandNames, createProgram } = await import('../run-command-line.ts')
      const program = createProgram()
      for (const name of commandNames()) await addCommand(program, name)
      const script = scripts[shell](listPlaces(program))
      if (json) printJson({ script })
      else print(script)
    })
}

/** Names of arguments that are the path of a file or folder. */
const pathArguments = new Set(['file', 'results', 'before', 'after'])

/** A command or subcommand, and what may follow it. */
interface Place {
  /** Its words: `''`, `wallet`, `wallet accept`. */
  readonly path: string
  /** What a person chooses from; empty if a file follows. */
  readonly words: readonly string[]
  readonly options: readonly string[]
  /** By option, as `--wallet` and `-w`: the choices for its value, or none. */
  readonly values: ReadonlyMap<string, readonly string[]>
}

function listPlaces(command: Command, path: readonly string[] = []): readonly Place[] {
  const names = command.commands.map((each) => each.name())
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
  // A subcommand takes the options of every command too.
  const shared = path.length > 1 ? ['--json', '--verbose'] : []
  // Some options have two long forms, of which the first counts as the short one.
  const flags = command.options.flatMap(({ short = '', long = '' }) => [short, long])
  const options = [...shared, ...flags.filter((flag) => flag.startsWith('--')), '--help']
  const takesPath = command.registeredArguments.some((each) => pathArguments.has(each.name()))
  const words = [...names, ...choices]
  const values = command.options
    .filter(({ required, optional }) => required || optional)
    .flatMap(({ long, short, argChoices }) =>
      [long, short].flatMap((flag) => (flag ? [[flag, argChoices ?? []] as const] : [])),
    )
  return [
    {
      path: path.join(' '),
      words: words.length > 0 || takesPath ? words : options,
      options,
      values: new Map(values),
    },
    ...command.commands.flatMap((each) => listPlaces(each, [...path, each.name()])),
  ]
}

const valuesOf = (places: readonly Place[]) =>
  places.flatMap(({ path, values }) =>
    [...values].map(([flag, choices]) => ({ after: `${path} ${flag}`, choices })),
  )

/**
 * Shell functions for bash (3.2 of macOS too) and zsh. `at` is the path of the command in the words
 * before the cursor, without the options and their values.
 */
function functionsOf(places: readonly Place[]): string {
  const cases = (lines: readonly (readonly [string, readonly string[]])[]) =>
    `  case "$1" in
${lines.map(([key, words]) => `    '${key}') echo '${words.join(' ')}';;`).join('\n')}
    *) return 1;;
  esac`
  return `_lear_testbed_words() {
${cases(places.map(({ path, words }) => [path, words]))}
}
_lear_testbed_options() {
${cases(places.map(({ path, options }) => [path, options]))}
}
_lear_testbed_values() {
${cases(valuesOf(places).map(({ after, choices }) => [after, choices]))}
}
_lear_testbed_at() {
  local at='' previous='' word
  for word in "$@"; do
    if _lear_testbed_values "$at $previous" > /dev/null; then previous=''; continue; fi
    previous="$word"
    case "$word" in -*) continue;; esac
    if _lear_testbed_options "\${at:+$at }$word" > /dev/null; then at="\${at:+$at }$word"; fi
  done
  echo "$at"
}
_lear_testbed_follow() {
  local at current="$1" previous="$2"
  shift 2
  at=$(_lear_testbed_at "$@")
  if _lear_testbed_values "$at $previous"; then return; fi
  case "$current" in
    -*) _lear_testbed_options "$at";;
    *) _lear_testbed_words "$at";;
  esac
}`
}

/** A shell completes files and folders if no word follows. */
const scripts: Readonly<Record<'bash' | 'zsh' | 'fish', (places: readonly Place[]) => string>> = {
  bash: (places) => `${functionsOf(places)}
_lear_testbed() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  words=$(_lear_testbed_follow "$current" "\${COMP_WORDS[COMP_CWORD-1]}" "\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _lear_testbed ${programs.join(' ')}`,

  zsh: (places) => `autoload -Uz compinit && compinit
${functionsOf(places)}
_lear_testbed() {
  local follow="$(_lear_testbed_follow "$PREFIX" "\${words[CURRENT-1]}" "\${(@)words[2,CURRENT-1]}")"
  compadd -- \${=follow} || _files
}
compdef _lear_testbed ${programs.join(' ')}`,

  fish: (places) => `${fishFunction(
    'words',
    places.map(({ path, words }) => [path, words]),
  )}
${fishFunction(
  'options',
  places.map(({ path, options }) => [path, options]),
)}
${fishFunction(
  'values',
  valuesOf(places).map(({ after, choices }) => [after, choices]),
)}
function __lear_testbed_follow
  set -l current (commandline -ct)
  set -l before (commandline -opc)
  set -e before[1]
  set -l at ''
  set -l previous ''
  for word in $before
    if __lear_testbed_values "$at $previous" > /dev/null
      set previous ''
      continue
    end
    set previous $word
    string match -q -- '-*' $word; and continue
    set -l longer (string trim -- "$at $word")
    __lear_testbed_options $longer > /dev/null; and set at $longer
  end
  set -l follow
  if __lear_testbed_values "$at $previous" > /dev/null
    set follow (__lear_testbed_values "$at $previous")
  else if string match -q -- '-*' $current
    set follow (__lear_testbed_options "$at")
  else
    set follow (__lear_testbed_words "$at")
  end
  if set -q follow[1]
    printf '%s\\n' $follow
  else
    __fish_complete_path $current
  end
end
${programs.map((name) => `complete -c ${name} -f -a '(__lear_testbed_follow)'`).join('\n')}`,
}

/** A function that prints the words of its argument, one a line, or fails if it knows none. */
const fishFunction = (name: string, lines: readonly (readonly [string, readonly string[]])[]) =>
  `function __lear_testbed_${name}
  switch "$argv[1]"
${lines.map(([key, words]) => `    case '${key}'\n      string split -n -- ' ' '${words.join(' ')}'; or true`).join('\n')}
    case '*'
      return 1
  end
end`
