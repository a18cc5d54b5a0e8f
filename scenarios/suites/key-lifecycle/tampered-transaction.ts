import { signerOf } from '#core/ethereum/account.ts'
import { signTransaction, type UnsignedTransaction } from '#core/ethereum/transaction.ts'
import { attributeIdOf } from '#scenarios/fixtures/accreditations.ts'
import { createOwnIdentity } from '#scenarios/fixtures/own-dids.ts'
import { callTir, expectRpcError, openRegistries } from '#scenarios/fixtures/registries.ts'
import { defineScenario } from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'

type Message = Readonly<Record<string, unknown>> & {
  readonly unsignedTransaction: UnsignedTransaction
}

const otherWord = `0x${'12'.repeat(32)}`

/** What of a message was changed after signing, with a sentence for it. */
const tamperings: readonly (readonly [string, (message: Message) => Message])[] = [
  ['Another r', (message) => ({ ...message, r: otherWord })],
  ['Another s', (message) => ({ ...message, s: otherWord })],
  ['The other v', (message) => ({ ...message, v: message.v === '0x1b' ? '0x1c' : '0x1b' })],
  ['Another protocol', (message) => ({ ...message, protocol: 'fabric' })],
  ['Another chain', withMember('chainId', '0x1')],
  ['Another receiver', withMember('to', `0x${'11'.repeat(20)}`)],
  ['Another sender', withMember('from', `0x${'22'.repeat(20)}`)],
  ['Other data', withMember('data', '0x12345678')],
  ['Another nonce', withMember('nonce', '0xff')],
  ['More gas', withMember('gasLimit', '0xffffff')],
  ['A price', withMember('gasPrice', '0x1')],
  ['A value', withMember('value', '0x1')],
  ['A raw transaction that is none', (message) => ({ ...message, signedRawTransaction: '0x00' })],
]

function withMember(name: keyof UnsignedTransaction, value: string) {
  return (message: Message): Message => ({
    ...message,
    unsignedTransaction: { ...message.unsignedTransaction, [name]: value },
  })
}

export const scenario = defineScenario({
  id: 'key-lifecycle/tampered-transaction',
  title: 'sendSignedTransaction refuses a message in which anything was changed',
  category: 'Key lifecycle',
  algorithms: ['ES256K'],
  description: `
The TAO has a transaction built and signs it. Before it is sent, one member at a time is changed:
each part of the signature, each member of the unsigned transaction, the raw transaction. The server
compares them all with each other, with the signer, with its network and its contract:

- every change answers \`-32602\`, and nothing is sent to the chain: the TIR holds nothing,
- the message as it was is taken.`,
  references: [
    {
      document: 'Document 2',
      section: 'Endpoints, TIR, server validations of sendSignedTransaction',
    },
    { document: 'Document 2', section: 'Errors, TIR' },
  ],

  async run(context) {
    const { step, environment } = context
    // An account of its own: with the TAO's, others would be in between.
    const signer = createOwnIdentity(context, 'sender')
    const subject = createOwnIdentity(context, 'subject')
    const { tir } = openRegistries(context)
    const { tao } = environment.trustChain

    const message = await step('A transaction is built and signed', async () => {
      const unsignedTransaction = await tir.build('setAttributeMetadata', {
        from: signer.address,
        did: subject.did,
        revisionId: `0x${attributeIdOf(subject)}`,
        issuerType: 'TI',
        taoDid: tao.did,
        attributeIdTao: `0x${tao.attributeId}`,
      })
      const { raw, r, s, v } = signTransaction(unsignedTransaction, signer.privateKey)
      return { protocol: 'eth', unsignedTransaction, r, s, v, signedRawTransaction: raw }
    })
    const send = (params: unknown) =>
      callTir(context, {
        jsonrpc: '2.0',
        id: 1,
        method: 'sendSignedTransaction',
        params: [params],
      })
    await step('Whatever is changed, it is refused', async () => {
      for (const [, change] of tamperings) expectRpcError(await send(change(message)), -32602)
    })
    await step("A stranger's signature is refused, complete and correct as it is", async () => {
      const stranger = signerOf(tao.privateKey)
      const { raw, ...signature } = signTransaction(
        { ...message.unsignedTransaction, from: stranger.address },
        stranger.privateKey,
      )
      const forged = { ...message, ...signature, signedRawTransaction: raw }
      expectRpcError(await send(forged), -32602)
    })
    await step('Nothing of it has reached the chain', async () => {
      const next = await tir.build('setAttributeData', {
        from: signer.address,
        did: subject.did,
        attributeId: `0x${attributeIdOf(subject)}`,
        attributeData: '0x61',
      })
      expectEqual('the next nonce', next.nonce, message.unsignedTransaction.nonce)
    })
    await step('As it was, the message is taken', async () => {
      const hash = await tir.send(message.unsignedTransaction, {
        raw: message.signedRawTransaction,
        r: message.r,
        s: message.s,
        v: message.v,
      })
      expectPresent('its hash', hash)
    })
  },
})
