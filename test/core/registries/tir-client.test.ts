import { expect, it } from 'vitest'
import { createTirClient } from '#core/registries/tir-client.ts'

it('says which members of an attribute are wrong', async () => {
  const attribute = { body: '', hash: '6f', issuerType: 'ROOT_TAO', rootTao: 'did:org:uc-pre:z1' }
  const json = { did: 'did:org:uc-pre:z1', attribute }
  const tir = createTirClient(async () => ({ status: 200, json, text: JSON.stringify(json) }))
  await expect(tir.readAttribute('did:org:uc-pre:z1', '6f'.repeat(32))).rejects.toMatchObject({
    code: 'registry_refused',
    message: expect.stringMatching(
      /attribute\.issuerType must be RTAO.*; attribute\.tao is missing/,
    ),
  })
})
