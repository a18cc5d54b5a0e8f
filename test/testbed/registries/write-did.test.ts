import { expect, it } from 'vitest'
import type { DidRegistryClient } from '#core/registries/did-registry-client.ts'
import { settleTransaction } from '#testbed/registries/write-registries.ts'

const nobody = () => Promise.reject(new Error('nobody asks for this'))
const didRegistry: DidRegistryClient = { resolve: nobody, build: nobody, send: nobody }

// @row 2.limits.6
it('looks about 5 seconds after a 206 where nothing else is said and no chain is known', async () => {
  const began = performance.now()
  const looks: number[] = []
  const hash = `0x${'ab'.repeat(32)}`
  const settled = settleTransaction(
    { didRegistry },
    'writing',
    { hash, state: 'pending' },
    async () => {
      looks.push(performance.now() - began)
      return true
    },
  )
  expect(await settled).toBe(hash)
  expect(looks).toHaveLength(1)
  expect(looks[0]).toBeGreaterThan(4900)
  expect(looks[0]).toBeLessThan(8000)
}, 15_000)
