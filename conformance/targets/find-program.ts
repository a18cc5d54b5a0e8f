import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { splitCommand } from './adapters/split-command.ts'

/** Programs whose first argument is a program of its own. */
const interpreters = /^(?:node|deno|bun|tsx|python3?|ruby|perl|php|bash|sh)$/

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/**
 * What is wrong with a command line before it has run: a quote that is not closed, a program or the
 * script of an interpreter that is not there. Undefined where nothing is.
 * @param folder where it runs
 * @param searchPath value of PATH
 */
export function findProgramProblem(
  command: string,
  folder: string,
  searchPath: string,
): string | undefined {
  const words = splitCommand(command)
  if (!words) return 'has a quote that is not closed'
  const [program = '', ...rest] = words
  if (program === '') return 'names no program'
  if (program.includes('{')) return 'must begin with a program, and not with a placeholder'
  const candidates = /[/\\]/.test(program)
    ? [resolve(folder, program)]
    : searchPath.split(delimiter).map((place) => join(place || folder, program))
  if (!candidates.some(isProgram)) {
    return candidates.length === 1 && program.includes('/')
      ? `names a program that is not there or not executable: ${candidates[0]}`
      : `names the program ${program}, which is not in PATH`
  }
  const [script = ''] = rest
  const isScript = interpreters.test(program) && /\.\w+$/.test(script) && !/^-|[{]/.test(script)
  const path = isAbsolute(script) ? script : resolve(folder, script)
  return isScript && !existsSync(path) ? `names a file that is not there: ${path}` : undefined
}
