import { describe, expect, it } from 'vitest'
import {
  answerRefused,
  differentTransaction,
  isDifferentTransaction,
  registryRefused,
} from '#core/registries/errors.ts'
import { buildAgainWhenStale } from '#core/registries/registry-request.ts'

const stale = {
  'DID registry': registryRefused('sending', 'HTTP 400', { status: 400, error: 'invalid_nonce' }),
  TIR: registryRefused('sending', '-32602 The nonce is obsolete', { error: -32602 }),
}

/** Work that is refused with each of the errors in turn, then done. */
function createWork(errors: readonly Error[]) {
  const left = [...errors]
  let times = 0
  const work = async () => {
    times += 1
    const error = left.shift()
    if (error) throw error
    return times
  }
  return { work, times: () => times }
}

describe('a transaction whose nonce was taken between building and sending', () => {
  it.each(Object.entries(stale))('is built again after a rejection by the %s', async (_, error) => {
    const { work } = createWork([error, error])
    expect(await buildAgainWhenStale(work)).toBe(3)
  })

  it('is abandoned after several attempts', async () => {
    const { work, times } = createWork(Array(9).fill(stale.TIR))
    await expect(buildAgainWhenStale(work, 4)).rejects.toBe(stale.TIR)
    expect(times()).toBe(4)
  })

  it.each([
    ['for its signature', registryRefused('sending', 'x', { error: 'invalid_signature' })],
    ['for its chain', registryRefused('sending', '-32602 chainId is wrong', { error: -32602 })],
    ['that did not come from the registry', new Error('nonce')],
  ])('is not assumed after a rejection %s', async (_, error) => {
    const { work, times } = createWork([error])
    await expect(buildAgainWhenStale(work)).rejects.toBe(error)
    expect(times()).toBe(1)
  })
})

it('a rejection is not a different transaction, even if the registry calls it so', () => {
  const json = { error: 'different_transaction' }
  const answer = { status: 400, text: JSON.stringify(json), json }
  expect(isDifferentTransaction(answerRefused('update', answer))).toBe(false)
  expect(isDifferentTransaction(differentTransaction('update', 'revoke'))).toBe(true)
})
