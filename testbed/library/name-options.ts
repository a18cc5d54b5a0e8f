import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'

/** Options of `testbed up` that have another name in the library than in camel case. */
const names = new Map([
  ['data', 'dataFolder'],
  ['chain-rpc', 'chainRpcUrl'],
  ['env', 'environments'],
])

const option = '--[a-z]+(?:-[a-z]+)*(?: [A-Z]+)?'
const optionsPattern = new RegExp(`${option}(?: ${option})*`, 'g')

const nameOf = (name: string) =>
  names.get(name) ?? name.replace(/-[a-z]/g, (text) => text.charAt(1).toUpperCase())

/** A command to type keeps its options. */
const rename = (text: string) =>
  text.includes(`${programCommand} `)
    ? text
    : text.replace(optionsPattern, (found) =>
        [...found.matchAll(/--([a-z-]+)/g)].map(([, name = '']) => nameOf(name)).join(' and '),
      )

/** The error of a start with the library's option names: `dataFolder` instead of `--data DIR`. */
export function nameOptions(error: unknown): unknown {
  if (!isTestbedError(error)) return error
  const { code, status, detail, extra, headers, cause } = error
  return new TestbedError({
    code,
    status,
    message: rename(error.message),
    hints: error.hints.map(rename),
    ...(detail === undefined ? {} : { detail }),
    extra,
    headers,
    cause,
  })
}
