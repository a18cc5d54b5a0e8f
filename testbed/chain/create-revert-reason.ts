import type { Ledger } from './create-ledger.ts'

export interface Receipt {
  readonly status: string
  readonly transactionHash: string
  readonly blockHash: string
}

interface CallTrace {
  readonly output?: string
}

const largestCache = 10_000

/**
 * Completes a receipt as Besu prints it: that of a failed transaction carries `revertReason`, the
 * ABI data it reverted with as 0x-hex (`0x` where it gave none).
 * @assumption A-37 revertReason in receipts
 * @row 2.endpoints/tir.14
 */
export function createRevertReason(ledger: Ledger) {
  const known = new Map<string, string>()
  return async function withRevertReason<R extends Receipt | null>(receipt: R): Promise<R> {
    if (receipt === null || receipt.status !== '0x0') return receipt
    const { transactionHash: hash, blockHash } = receipt
    // After a restored snapshot the same transaction may fail for another reason.
    const key = `${blockHash}/${hash}`
    let revertReason = known.get(key)
    if (revertReason === undefined) {
      const options = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
      const trace = await ledger.read<CallTrace>('debug_traceTransaction', [hash, options])
      revertReason = trace.output ?? '0x'
      if (known.size >= largestCache) known.clear()
      known.set(key, revertReason)
    }
    return { ...receipt, revertReason }
  }
}
