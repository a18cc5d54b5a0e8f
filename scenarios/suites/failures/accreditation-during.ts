import { signerOf } from '#core/ethereum/account.ts'
import { attributeIdOf } from '#scenarios/fixtures/accreditations.ts'
import { whileBroken } from '#scenarios/fixtures/outages.ts'
import { createOwnIdentity } from '#scenarios/fixtures/own-dids.ts'
import { callTir, expectRpcError, openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario, oneAlgorithm, type Scenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent, expectStatus } from '#scenarios/harness/expectations.ts'

const outages = [
  {
    fault: 'chain-down',
    what: 'the chain is away',
    reading: 500,
    why: 'Reading is 500, not 404: what cannot be looked up is not absent.',
  },
  {
    fault: 'api-keys-down',
    what: 'the API key management does not answer',
    reading: 200,
    why: 'Reading goes on, as it needs no key.',
  },
] as const

function scenarioFor(
  { fault, what, reading, why }: (typeof outages)[number],
  index: number,
): Scenario {
  return defineScenario({
    id: `failures/accreditation-during-${fault}`,
    title: `The TIR takes no write while ${what}`,
    category: 'Failures',
    exclusive: true,
    algorithms: oneAlgorithm(index),
    description: `
A TAO wants to accredit somebody while **${what}**. The TIR answers \`-32603\`, an error of its own: the
request was right. A key that can't be checked counts as no key, and an answer that could not be asked
for is not invented. ${why}

Afterwards the same call builds a transaction, which is applied.`,
    references: [
      { document: 'Document 2', section: 'Errors, TIR' },
      { document: 'Document 2', section: 'Authentication' },
    ],

    async run(context) {
      const { step, environment, httpAs } = context
      const { tao, issuer } = environment.trustChain
      const { tir, writeMetadata } = openRegistries(context, 'tao')
      const subject = createOwnIdentity(context)
      const signer = signerOf(tao.privateKey)
      const metadata = {
        did: subject.did,
        attributeId: attributeIdOf(subject),
        issuerType: 'TI',
        taoDid: tao.did,
        attributeIdTao: tao.attributeId,
      } as const
      const { did, attributeId } = issuer
      const url = `${environment.tirBaseUrl}/v1/issuers/${did}/attributes/${attributeId}`

      await step(`A TAO accredits while ${what}`, () =>
        whileBroken(context, fault, async () => {
          const params = {
            from: signer.address,
            did: metadata.did,
            revisionId: `0x${metadata.attributeId}`,
            issuerType: 'TI',
            taoDid: tao.did,
            attributeIdTao: `0x${tao.attributeId}`,
          }
          const message = {
            jsonrpc: '2.0',
            id: 1,
            method: 'setAttributeMetadata',
            params: [params],
          }
          expectRpcError(await callTir(context, message), -32603)
          expectStatus(await httpAs('verifier').request(url), reading)
        }),
      )
      await step('Afterwards it can', async () => {
        await writeMetadata(metadata, signer)
        const read = await tir.readAttribute(metadata.did, metadata.attributeId)
        const { attribute } = expectPresent('the accreditation', read)
        expectEqual('issuerType', attribute.issuerType, 'TI')
      })
    },
  })
}

export const scenarios = outages.map(scenarioFor)
