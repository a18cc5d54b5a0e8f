import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'
import { callRpc } from '#test/support/chain.ts'
import { spawnTestbed } from '#test/support/running-testbed.ts'
import { createTemporaryFolder } from '#test/support/temporary-folder.ts'

/** What the trust chain looks like from outside. */
async function readTrustChain({ environments }: TestbedFile) {
  const { pre } = environments
  if (pre === undefined) throw new Error('there is no environment pre')
  const { issuer, rootTao } = pre.trustChain
  const read = async (url: string) => (await fetch(url)).json()
  return {
    trustChain: pre.trustChain,
    verifierDid: pre.verifierDid,
    issuerDocument: await read(`${pre.didRegistryBaseUrl}/api/v1/identifiers/${issuer.did}`),
    issuerAttribute: await read(
      `${pre.tirBaseUrl}/v1/issuers/${issuer.did}/attributes/${issuer.attributeId}`,
    ),
    rootAttribute: await read(
      `${pre.tirBaseUrl}/v1/issuers/${rootTao.did}/attributes/${rootTao.attributeId}`,
    ),
    head: (await callRpc(pre.chain.rpcUrl, 'eth_getBlockByNumber', 'latest', false)).result,
    secrets: [pre.apiKeys, pre.oidcClient.clientSecret, pre.admin, pre.operator],
  }
}

describe('testbed up', () => {
  it('keeps its state after SIGINT, after a second SIGINT, and after kill -9', async () => {
    const folder = createTemporaryFolder()
    const first = spawnTestbed(folder)
    const before = await readTrustChain(await first.healthy)
    first.child.kill('SIGINT')
    first.child.kill('SIGINT')
    expect(await first.ended).toBe(130)
    expect(existsSync(join(folder, 'testbed.json'))).toBe(false)
    const second = spawnTestbed(folder)
    expect(await readTrustChain(await second.healthy)).toEqual(before)
    second.child.kill('SIGKILL')
    await second.ended
    const third = spawnTestbed(folder)
    const file = await third.healthy
    expect(await readTrustChain(file)).toEqual(before)
    expect(file.pid).toBe(third.child.pid)
  })
})
