import { TestbedError } from '#core/errors/testbed-error.ts'
import { didYouMean } from '#core/text/find-nearest.ts'
import { faultNames } from '#kit/runtime.ts'
import { programCommand } from '#scenarios/harness/command-line.ts'

const notFound = (code: string, message: string) => new TestbedError({ code, status: 404, message })
const foreign = (code: string, message: string) => new TestbedError({ code, status: 409, message })

export const invalidControlToken = () =>
  new TestbedError({
    code: 'invalid_token',
    status: 401,
    message: 'The control token (testbed.json, control.token) is missing or wrong.',
    headers: { 'www-authenticate': 'Bearer realm="testbed control"' },
  })

export const missingConsoleKey = () =>
  new TestbedError({
    code: 'console_key_missing',
    status: 403,
    message: `This browser has no access to the console. Open the console again: ${programCommand} open`,
  })

export const unknownEnvironment = (known: Iterable<string>) =>
  notFound('unknown_environment', `This testbed runs only ${[...known].join(' and ')}.`)

export const unknownOrganization = () =>
  notFound('unknown_organization', 'This organization is unknown to the testbed.')

export const unknownSnapshot = () =>
  notFound('unknown_snapshot', 'Unknown snapshot. Restoring a snapshot drops later ones.')

export const unknownTransaction = () =>
  notFound('unknown_transaction', 'The chain does not know a transaction with this hash.')

export const unknownFault = (name: string) =>
  notFound(
    'unknown_fault',
    [
      `Unknown fault. The faults are ${faultNames.join(', ')}.`,
      ...didYouMean(name, faultNames),
    ].join(' '),
  )

export const unknownDefect = (name: string, known: readonly string[]) =>
  notFound(
    'unknown_defect',
    ['Unknown defect. GET this address to list all of them.', ...didYouMean(name, known)].join(' '),
  )

/** The issuer reports an unknown type as its own error; here it is the caller's. */
export const unknownVcType = (message: string) =>
  new TestbedError({ code: 'unknown_vc_type', status: 400, message })

export const foreignDatabase = () =>
  foreign(
    'foreign_database',
    "The database is not the testbed's own. Other programs may use it, so it cannot be restored.",
  )

export const foreignManagementApi = (url: string) =>
  foreign(
    'foreign_management_api',
    `The issuer uses the management API at ${url}, which this testbed does not control.`,
  )

/** The error of a service that the control interface called for its client. */
export function refusedByService(status: number, answer: unknown, otherwise: string): TestbedError {
  const problem = (answer ?? {}) as { error?: unknown; error_description?: unknown }
  return new TestbedError({
    code: String(problem.error ?? 'server_error'),
    status: status < 500 ? status : 502,
    message: String(problem.error_description ?? otherwise),
  })
}
