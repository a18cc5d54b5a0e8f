import { createDid } from '#core/did/did-proof.ts'
import { attributeIdOf } from '#scenarios/fixtures/accreditations.ts'
import { createOwnIdentity, ownPrivateKey } from '#scenarios/fixtures/own-dids.ts'
import { callTir, expectRpcError } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectJson, expectPresent } from '#scenarios/harness/expectations.ts'

export const scenario = defineScenario({
  id: 'key-lifecycle/tir-parameters',
  title: 'The TIR builds nothing out of parameters that are not of the documented form',
  category: 'Key lifecycle',
  algorithms: ['ES256K'],
  description: `
One complete call of \`setAttributeMetadata\` builds a transaction. Then one member at a time is left
out or changed into what the documents exclude: an \`issuerType\` as a number, in small letters, or
\`NONE\`; an attribute id of the wrong length or without 0x; an address that is none; a DID of the other
environment. Each answers \`-32602\`.

An accreditation has to be UTF-8 bytes in hex, and not empty.`,
  references: [
    { document: 'Document 2', section: 'Types used in the TIR' },
    { document: 'Document 2', section: 'Endpoints, TIR, methods' },
    { document: 'Document 2', section: 'Limits' },
  ],

  async run(context) {
    const { step, environment } = context
    const { tao } = environment.trustChain
    const { did, address } = createOwnIdentity(context)
    const isPre = did.startsWith('did:org:uc-pre:')
    const elsewhere = createDid(ownPrivateKey(context, 'elsewhere'), isPre ? 'pro' : 'pre').did
    const revisionId = `0x${attributeIdOf({ did })}`
    const metadata: Readonly<Record<string, unknown>> = {
      from: address,
      did,
      revisionId,
      issuerType: 'TI',
      taoDid: tao.did,
      attributeIdTao: `0x${tao.attributeId}`,
    }
    const data: typeof metadata = {
      from: address,
      did,
      attributeId: revisionId,
      attributeData: `0x${Buffer.from('a.b.c').toString('hex')}`,
    }
    const call = (method: string, params: object) =>
      callTir(context, { jsonrpc: '2.0', id: 1, method, params: [params] })

    await step('Complete calls build a transaction', async () => {
      for (const [method, params] of [
        ['setAttributeMetadata', metadata],
        ['setAttributeData', data],
      ] as const) {
        const { result } = expectJson(await call(method, params), 200)
        expectPresent(`the result of ${method}`, result as object | undefined)
      }
    })
    await step('No member may be missing', async () => {
      for (const [method, params] of [
        ['setAttributeMetadata', metadata],
        ['setAttributeData', data],
      ] as const) {
        for (const name of Object.keys(params)) {
          const { [name]: _, ...rest } = params
          expectRpcError(await call(method, rest), -32602)
        }
      }
    })
    await step('No member may have another form', async () => {
      for (const changed of [
        { issuerType: 3 },
        { issuerType: '3' },
        { issuerType: 'ti' },
        { issuerType: 'NONE' },
        { issuerType: 'RTAO' },
        { revisionId: revisionId.slice(2) },
        { revisionId: revisionId.slice(0, -2) },
        { attributeIdTao: `0x${'zz'.repeat(32)}` },
        { from: '0x1234' },
        { did: 'did:key:z6Mkhandmade' },
        { did: elsewhere },
        { taoDid: elsewhere },
      ]) {
        const params = { ...metadata, ...changed }
        expectRpcError(await call('setAttributeMetadata', params), -32602)
      }
    })
    await step('An accreditation is UTF-8 in hex, and there', async () => {
      for (const attributeData of ['0x', '0xc3', 'a.b.c', '0x123']) {
        const params = { ...data, attributeData }
        expectRpcError(await call('setAttributeData', params), -32602)
      }
    })
  },
})
