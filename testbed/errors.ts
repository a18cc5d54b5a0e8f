import { TestbedError } from '#core/errors/testbed-error.ts'
import { programCommand, startCommand } from '#scenarios/harness/command-line.ts'

const failed = (code: string, message: string, hints: readonly string[], cause?: unknown) =>
  new TestbedError({ code, status: 500, message, hints, cause })

export const consoleFailed = (cause: unknown) => {
  const message = 'The console and the control interface could not be loaded.'
  return failed('console_failed', message, ['Restart the testbed.'], cause)
}

/** Options of a start that contradict each other or are invalid. */
export const unfitOptions = (message: string, hint: string) =>
  failed('invalid_option', message, [hint])

export const invalidConfiguration = (problems: readonly string[]) => {
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
  const message = `The configuration has ${count}:\n  ${problems.join('\n  ')}`
  return failed('invalid_configuration', message, [
    'docs/reference/configuration.md lists every setting.',
  ])
}

/** A part that cannot listen on its port. */
interface PortProblem {
  readonly port: number
  readonly part: string
  readonly cause: NodeJS.ErrnoException | undefined
}

/** `by`: the process that uses the port, if known; `choice`: of another port. */
export const portTaken = (
  { port, part, cause }: PortProblem,
  { by, choice }: { readonly by: string; readonly choice: string },
) =>
  new TestbedError({
    code: 'port_taken',
    status: 500,
    message: `Port ${port} for ${part} is in use${by}.`,
    hints: [`Stop that process, or choose ${choice}.`],
    extra: { port },
    cause,
  })

export const portRefused = (
  { port, part, cause }: PortProblem,
  { host, hint }: { readonly host: string; readonly hint: string },
) =>
  new TestbedError({
    code: 'port_refused',
    status: 500,
    message: `Cannot listen on ${host}:${port} for ${part} (${cause?.code}).`,
    hints: [hint],
    extra: { port },
    cause,
  })

/** A file below the data folder that could not be read or written. */
export const fileRefused = (cause: NodeJS.ErrnoException, reason: string) =>
  failed(
    'data_folder_refused',
    `Cannot ${cause.syscall} ${cause.path}: ${reason}.`,
    [
      cause.code === 'ENOSPC' || cause.code === 'EDQUOT'
        ? 'Free space on that disk.'
        : 'Check its owner and permissions.',
      'Or choose another folder with --data DIR.',
    ],
    cause,
  )

export const tooFewFiles = (cause: unknown) => {
  const message = 'This process is not allowed to open enough files and connections for a testbed.'
  const hint = 'Raise the limit of open files, for example with `ulimit -n 1024`, and start again.'
  return failed('too_few_files', message, [hint], cause)
}

export const chainUnavailable = (rpcUrl: string, cause: unknown) =>
  failed(
    'chain_unavailable',
    `The chain at ${rpcUrl} does not respond.`,
    ['Check --chain-rpc: it must be the address of an Ethereum JSON-RPC endpoint.'],
    cause,
  )

/** `dataFolder`: the folder of the chain, if it is the testbed's own. */
export const contractsOutdated = (address: string, chain: string, dataFolder?: string) =>
  failed(
    'contracts_outdated',
    `On ${chain}, another version of the testbed deployed the registry ${address}. This version cannot use it.`,
    dataFolder === undefined
      ? [
          'Start with a different --data DIR or --seed, to deploy new registries, or use a new chain.',
        ]
      : [
          `Delete the state in this folder: ${programCommand} reset --data ${dataFolder}`,
          'Or use a new data folder (--data DIR); the version that created this one can still use it.',
        ],
  )

export const deploymentFailed = (what: string, isLate: boolean, detail: string | undefined) =>
  new TestbedError({
    code: 'deployment_failed',
    status: 500,
    message: `The chain did not accept ${what}${isLate ? ' in time' : ''}.`,
    hints: ['The operator account must be new on this chain, and the gas price must be zero.'],
    ...(detail === undefined ? {} : { detail }),
  })

export const seedingFailed = (cause: TestbedError) =>
  failed(
    'seeding_failed',
    `The testbed's own registries could not be populated: ${cause.message}`,
    ['If this folder contains something else, use a new data folder (--data DIR).'],
    cause,
  )

export const notHealthy = (problems: readonly string[]) =>
  failed('not_healthy', `Not healthy after the start: ${problems.join(', ')}.`, [
    'Set LOG_LEVEL=debug and start again to see why.',
  ])

export const foreignChain = () =>
  new TestbedError({
    code: 'foreign_chain',
    status: 409,
    message: "The chain is not the testbed's own: its time and mining cannot be controlled.",
  })

export const noStatusList = (detail: string) =>
  new TestbedError({
    code: 'no_status_list',
    status: 409,
    message: 'The issuer returned no credentialStatus, or could not revoke its own credential.',
    detail,
  })

export const notRunning = (message: string) =>
  new TestbedError({
    code: 'not_running',
    status: 503,
    message,
    hints: [`Start one with \`${startCommand}\`, or omit --testbed to start one for this run.`],
  })

/** The token of a wallet server. */
export const invalidWalletToken = () =>
  new TestbedError({
    code: 'invalid_token',
    status: 401,
    message: 'The token of this wallet server is missing or wrong.',
    headers: { 'www-authenticate': 'Bearer' },
  })

/** A new key was requested for a stored wallet. */
export const namedWallet = () =>
  new TestbedError({
    code: 'named_wallet',
    status: 400,
    message: 'A stored wallet keeps its key. Omit curve and did_method.',
  })

export const invalidWalletRequest = (message: string) =>
  new TestbedError({ code: 'invalid_request', status: 400, message })

export const alreadyRegistered = (did: string) =>
  new TestbedError({
    code: 'already_registered',
    status: 409,
    message: `${did} is already registered.`,
    hints: [`${programCommand} did resolve ${did} shows its document.`],
  })

export const unknownAccreditation = (did: string) =>
  new TestbedError({
    code: 'unknown_accreditation',
    status: 404,
    message: `The TIR has no accreditation of ${did} with this attributeId.`,
  })

export const alreadyRevoked = (did: string) =>
  new TestbedError({
    code: 'already_revoked',
    status: 409,
    message: `This accreditation of ${did} is already revoked.`,
  })

export const keyNotInAssertionMethod = (address: string, did: string) =>
  new TestbedError({
    code: 'key_not_in_assertion_method',
    status: 409,
    message: `The key of ${address} is not in the assertionMethod of ${did} now.`,
    hints: ['Signatures of this key would be rejected. Add the relationship first.'],
  })
