import { readdirSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'
import { Command, CommanderError, Help, type Option } from 'commander'
import { placeOfDocumentation, programCommand } from '#scenarios/harness/command-line.ts'
import { describeError, exitCodeOf, exitCodes } from './exit-codes.ts'
import { readVersion } from './read-version.ts'

/**
 * What a file in `commands/` exports; its name is the name of the command. To add a command, add a
 * file. The file is loaded only when its command runs, or for the general help.
 */
interface CommandModule {
  readonly summary: string
  /** Command lines without the program's name, and what each does, for `--help`. */
  readonly examples: readonly (readonly [commandLine: string, meaning: string])[]
  /**
   * Adds arguments, options and the action. An action sets `process.exitCode` if the result is not
   * 0, prints data to stdout and messages to stderr, and throws a TestbedError for errors that the
   * user can fix.
   */
  configure(command: Command): void
}

const folder = resolve(import.meta.dirname, 'commands')
/** `.js` in the npm package. */
const extension = extname(import.meta.filename)

/** The commands by name, in alphabetical order. */
export function commandNames(): string[] {
  return readdirSync(folder)
    .filter((file) => extname(file) === extension)
    .map((file) => basename(file, extension))
    .sort()
}

const globalOptions = ['--json', '--verbose', '--version']

/** Loads the command of that name and adds it to the program. */
export async function addCommand(program: Command, name: string): Promise<void> {
  const { summary, examples, configure } = (await import(`./commands/${name}.ts`)) as CommandModule
  const command = program
    .command(name)
    .description(summary)
    .option('--json', 'print the output as JSON')
    .option('--verbose', 'print the causes of errors')
    .showHelpAfterError('(--help lists the options)')
    .configureHelp({
      showGlobalOptions: true,
      // Without those of a command that also has subcommands, such as `report`.
      visibleGlobalOptions(subcommand) {
        const options = Help.prototype.visibleGlobalOptions.call(this, subcommand)
        return options.filter(({ long }) => long !== undefined && globalOptions.includes(long))
      },
    })
  configure(command)
  if (command.commands.length > 0) {
    command.showHelpAfterError('(--help lists the commands and options)')
  }
  command.addHelpText('after', formatExamples(examples))
  for (const subcommand of command.commands) {
    const prefix = `${name} ${subcommand.name()}`
    const own = examples.filter(([line]) => line === prefix || line.startsWith(`${prefix} `))
    if (own.length > 0) subcommand.addHelpText('after', formatExamples(own))
  }
}

function formatExamples(examples: CommandModule['examples']): string {
  const lines = examples.map(([line, meaning]) => [`${programCommand} ${line}`, meaning] as const)
  const width = Math.max(...lines.map(([line]) => line.length))
  return [
    '\nExamples:',
    ...lines.map(([line, meaning]) => `  ${line.padEnd(width)}  ${meaning}`),
  ].join('\n')
}

/** The program without its commands. */
export function createProgram(): Command {
  return new Command(programCommand)
    .description('A complete local ecosystem for login with verifiable credentials')
    .version(readVersion(), '-V, --version', 'print the version')
    .exitOverride()
    .showHelpAfterError('(--help lists the commands)')
    .helpCommand(false)
    .addHelpText('after', `\nDocumentation: ${placeOfDocumentation()}`)
    .hook('preAction', (_program, command) => refuseEmptyPlaces(command))
}

/**
 * An empty path, as from an unset variable of a script, would be the current folder, and an empty
 * address every interface of the machine.
 */
function refuseEmptyPlaces(command: Command): void {
  const isPlace = ({ flags }: Option) =>
    /[<[](?:file|folder|dir|results|key|address)[>\]]/.test(flags)
  const empty = command.options.find(
    (option) => isPlace(option) && command.getOptionValue(option.attributeName()) === '',
  )
  if (empty) command.error(`error: option '${empty.flags}' argument is empty`)
}

/**
 * Runs one command and returns its exit code: 0 all passed, 1 something failed, 2 usage or
 * configuration error, 3 the testbed did not start, 130 interrupted.
 */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  const program = createProgram()
  const wanted = argv.find((argument) => !argument.startsWith('-'))
  const known = commandNames()
  try {
    const load = wanted !== undefined && known.includes(wanted) ? [wanted] : known
    for (const name of load) await addCommand(program, name)
    await program.parseAsync([...argv], { from: 'user' })
    return Number(process.exitCode ?? exitCodes.passed)
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.passed
    const { createGithubReporter } = await import('./report-to-github.ts')
    const reporter = createGithubReporter(process.env, process.stderr)
    if (error instanceof CommanderError) {
      // It is already printed, unlike any other error. Without a command, that is the help.
      if (error.code !== 'commander.help') {
        reporter.annotateError(error.message.replace(/^error: /, ''))
      }
      return exitCodes.wrongUsage
    }
    reporter.printError(describeError(error, { details: argv.includes('--verbose') }))
    return exitCodeOf(error, wanted === 'up' ? exitCodes.notStarted : exitCodes.failed)
  }
}
