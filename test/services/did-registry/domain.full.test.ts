import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createBuiltTransactions } from '#services/did-registry/domain/built-transactions.ts'

describe('the heap that the built transactions retain', () => {
  const limit = 10_000
  const lifetime = 900
  /** Bytes that `work` leaves on the heap, held by what it returns. */
  const retainedBy = (work: () => unknown): number => {
    setFlagsFromString('--expose-gc')
    const gc = runInNewContext('gc') as () => void
    // The second collection ends the sweep of the first; until then dead buffers are still counted.
    const collect = () => {
      gc()
      gc()
    }
    // A warm-up run first: code that it compiles also stays on the heap.
    work()
    collect()
    const before = process.memoryUsage()
    const held = work()
    collect()
    const after = process.memoryUsage()
    expect(held).toBeDefined()
    return after.heapUsed + after.external - before.heapUsed - before.external
  }
  const address = (number: number) => `0x${number.toString(16).padStart(40, '0')}`

  it('is less than 2 MB after 2,000 transactions of 65 kB', () => {
    const retained = retainedBy(() => {
      const built = createBuiltTransactions({ lifetime, limit })
      for (let nonce = 0; nonce < 2000; nonce++) {
        const data = `0x${Buffer.alloc(65_000, nonce).toString('hex')}${nonce}`
        built.remember({ from: address(1), to: address(2), data, nonce: BigInt(nonce) }, 100)
      }
      return built
    })
    expect(retained).toBeLessThan(2_000_000)
  })

  it('is less than 12 MB with as many transactions and signers as fit', () => {
    const retained = retainedBy(() => {
      const built = createBuiltTransactions({ lifetime, limit })
      for (let nonce = 0; nonce < limit + 1000; nonce++) {
        for (let signer = 0; signer < 8; signer++) {
          const from = address(nonce * 16 + signer)
          built.remember({ from, to: address(2), data: '0x', nonce: BigInt(nonce) }, 100)
        }
      }
      return built
    })
    expect(retained).toBeLessThan(12_000_000)
  })

  it('is freed after the transactions have expired', () => {
    const retained = retainedBy(() => {
      const built = createBuiltTransactions({ lifetime, limit })
      for (let nonce = 0; nonce < limit; nonce++) {
        const from = address(nonce)
        built.remember({ from, to: address(2), data: '0x', nonce: BigInt(nonce) }, 100)
      }
      built.remember({ from: address(1), to: address(2), data: '0x', nonce: 0n }, 1001)
      return built
    })
    expect(retained).toBeLessThan(500_000)
  })
})
