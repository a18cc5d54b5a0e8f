import { z } from 'zod'
import type { EventDecoder } from '#core/ethereum/create-event-decoder.ts'
import type { EventIndex } from '#kit/create-event-index.ts'
import type { IndexedLog } from '#kit/create-log-store.ts'

/** An event of a registry's contract as the explorers show it. */
export const zChainEvent = z.object({
  event: z.string().describe('Name of the event in the contract'),
  args: z
    .record(z.string(), z.union([z.string(), z.boolean()]))
    .describe('Its arguments: numbers as decimal text, bytes as 0x-hex'),
  blockNumber: z.int(),
  blockTime: z.int().describe('Unix seconds'),
  transactionHash: z.string(),
  logIndex: z.int(),
})

export type ChainEvent = z.infer<typeof zChainEvent>

/** Decodes logs and adds the times of their blocks; logs of no known event have no arguments. */
export function describeLogs(
  logs: readonly IndexedLog[],
  { events, decode }: { readonly events: EventIndex; readonly decode: EventDecoder },
): Promise<ChainEvent[]> {
  return Promise.all(
    logs.map(async (log): Promise<ChainEvent> => {
      const { blockNumber, transactionHash, logIndex } = log
      const { name, args } = decode(log) ?? { name: 'unknown', args: {} }
      const blockTime = await events.timeOf(log)
      return { event: name, args, blockNumber, blockTime, transactionHash, logIndex }
    }),
  )
}
