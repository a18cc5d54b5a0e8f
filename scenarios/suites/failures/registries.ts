import { signerOf } from '#core/ethereum/account.ts'
import { signTransaction } from '#core/ethereum/transaction.ts'
import { attributeIdOf } from '#scenarios/fixtures/accreditations.ts'
import { whileBroken } from '#scenarios/fixtures/outages.ts'
import { createOwnIdentity, registerDid } from '#scenarios/fixtures/own-dids.ts'
import {
  callDidRegistry,
  callTir,
  expectRegistryRefusal,
  expectRpcError,
  openRegistries,
} from '#scenarios/fixtures/registries.ts'
import {
  cite,
  defineScenario,
  oneAlgorithm,
  type Scenario,
} from '#scenarios/harness/define-scenario.ts'
import {
  expectEqual,
  expectPresent,
  expectStatus,
  expectTrue,
} from '#scenarios/harness/expectations.ts'

const outages = [
  {
    fault: 'chain-down',
    what: 'the chain is unavailable',
    reading: 500,
    why: 'Reading is 500, not 404: a failed lookup does not mean that the entry is missing.',
  },
  {
    fault: 'api-keys-down',
    what: 'the API key management does not respond',
    reading: 200,
    why: 'Reading still works, as it does not require a key.',
  },
] as const

function scenarioFor(
  { fault, what, reading, why }: (typeof outages)[number],
  index: number,
): Scenario {
  return defineScenario({
    id: `failures/accreditation-during-${fault}`,
    title: `The TIR accepts no writes while ${what}`,
    exclusive: true,
    algorithms: oneAlgorithm(index),
    description: `
A TAO tries to accredit an organization while **${what}**. The TIR returns \`-32603\`, an internal error:
the request was valid. A key that cannot be checked is not accepted, and the TIR does not invent a
response. ${why}

Afterwards the same call builds a transaction, which is applied.`,
    references: cite('Profile: 2.errors/tir', 'Profile: 2.authentication'),

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
      await step('Afterwards the TAO can accredit', async () => {
        await writeMetadata(metadata, signer)
        const read = await tir.readAttribute(metadata.did, metadata.attributeId)
        const { attribute } = expectPresent('the accreditation', read)
        expectEqual('issuerType', attribute.issuerType, 'TI')
      })
    },
  })
}

const chainAwayInTheMiddle = defineScenario({
  id: 'failures/chain-away-in-the-middle',
  title: 'A write that a chain outage interrupts is not reported as done, and can be repeated',
  exclusive: true,
  algorithms: ['EdDSA'],
  description: `
An organization has an update built and signed when the chain becomes unavailable. Sending returns 500
without a hash, as the transaction was not accepted. Building also returns 500, and resolving is 500,
*not* 404: a registry that cannot read the chain must not claim that the DID does not exist.

When the chain is back, the document is unchanged. The same signed transaction is sent again and
applied.`,
  references: cite('Profile: 2.errors/did-registry', 'Profile: 2.states-and-transitions.8'),

  async run(context) {
    const { step, uniqueName } = context
    const { didRegistry } = openRegistries(context)
    const own = await step('An organization registers a DID', () =>
      registerDid(context, 'organization', { isForAssertions: false }),
    )
    const { did, address: from, privateKey } = own
    const alsoKnownAs = `urn:example:${uniqueName}`
    const body = { did, alsoKnownAs, from }
    const namesOf = async () =>
      expectPresent('the document', await didRegistry.resolve(did)).alsoKnownAs
    const { before, raw } = await step('It has an update built, and signs it', async () => {
      const unsigned = await didRegistry.build('updateAlsoKnownAs', body)
      return { before: await namesOf(), raw: signTransaction(unsigned, privateKey).raw }
    })
    await step('The chain is unavailable: nothing can be sent, built or resolved', () =>
      whileBroken(context, 'chain-down', async () => {
        for (const [path, json] of [
          ['transactions/send', { signedRawTransaction: raw }],
          ['contract/updateAlsoKnownAs', body],
          [`identifiers/${encodeURIComponent(did)}`, undefined],
          ['identifiers', undefined],
        ] as const) {
          const answer = await callDidRegistry(context, path, json === undefined ? {} : { json })
          expectRegistryRefusal(answer, 500)
          expectTrue(
            `${path} does not return a hash`,
            !answer.text.includes('tx_hash'),
            answer.text,
          )
        }
      }),
    )
    await step('When the chain is back, the same transaction is applied', async () => {
      expectEqual('alsoKnownAs', await namesOf(), before)
      expectEqual('the transaction', (await didRegistry.send(raw)).state, 'applied')
      expectEqual('alsoKnownAs', await namesOf(), [alsoKnownAs])
    })
  },
})

export const scenarios = [...outages.map(scenarioFor), chainAwayInTheMiddle]
