import { TestbedError } from '#core/errors/testbed-error.ts'

export const nodeCannotListen = (host: string, port: number, cause: NodeJS.ErrnoException) =>
  new TestbedError({
    code: cause.code === 'EADDRINUSE' ? 'port_taken' : 'port_refused',
    status: 500,
    message: `The chain node cannot listen on ${host}:${port} (${cause.code}).`,
    extra: { port },
    cause,
  })

export const unknownSnapshot = () =>
  new TestbedError({
    code: 'unknown_snapshot',
    status: 404,
    message: 'The chain has no such snapshot.',
  })

export const journalReplayDiffers = (what: string, cause?: unknown) =>
  new TestbedError({
    code: 'journal_replay_differs',
    status: 500,
    message: `The chain's journal could not be replayed: ${what}.`,
    hints: ['It was written by another version of the chain node. Use a new data folder.'],
    cause,
  })

export const journalDamaged = (path: string, line: number) =>
  new TestbedError({
    code: 'journal_damaged',
    status: 500,
    message: `The chain's journal ${path} is damaged at entry ${line}, with intact entries after it.`,
    hints: ['Restore the data folder from a copy, or use a new one (--data DIR).'],
  })

export const journalMismatch = (path: string, foundChainId: unknown, chainId: unknown) =>
  new TestbedError({
    code: 'journal_mismatch',
    status: 500,
    message: `The chain's journal ${path} belongs to chain ${foundChainId}, not to ${chainId}.`,
    hints: ['Start with the chain id of the journal, or use a new data folder (--data DIR).'],
  })
