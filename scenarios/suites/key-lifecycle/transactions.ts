import { signerOf } from '#core/ethereum/account.ts'
import {
  signTransaction,
  signTypedTransaction,
  type UnsignedTransaction,
} from '#core/ethereum/transaction.ts'
import { attributeIdOf } from '#scenarios/fixtures/accreditations.ts'
import { createOwnIdentity, type OwnIdentity, registerDid } from '#scenarios/fixtures/own-dids.ts'
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
  type ScenarioContext,
} from '#scenarios/harness/define-scenario.ts'
import { expectEqual, expectPresent } from '#scenarios/harness/expectations.ts'

interface RefusedTransaction {
  readonly name: string
  readonly title: string
  /** The change to the transaction, as a sentence. */
  readonly what: string
  /** Creates the raw transaction from the one that the registry built for its owner. */
  readonly sign: (
    unsigned: UnsignedTransaction,
    own: OwnIdentity,
    context: ScenarioContext,
  ) => string
  readonly error: string
  /** The rule of the profile; undefined if only the assumption covers it. */
  readonly section?: string
}

const signed = (unsigned: UnsignedTransaction, { privateKey }: { privateKey: string }) =>
  signTransaction(unsigned, privateKey).raw

const cases: readonly RefusedTransaction[] = [
  {
    name: 'wrong-signer',
    title: 'A transaction that another key signed',
    what: 'Another key signs the transaction of the organization: the key differs from `from`.',
    sign: (unsigned, _, context) => {
      const stranger = createOwnIdentity(context, 'stranger')
      return signed({ ...unsigned, from: stranger.address }, stranger)
    },
    error: 'invalid_signature',
    section: '2.errors/did-registry.4',
  },
  {
    name: 'stale-nonce',
    title: 'A transaction whose nonce was used before',
    what: 'The nonce is that of a transaction that was already mined.',
    sign: (unsigned, own) => signed({ ...unsigned, nonce: '0x0', gasLimit: '0x493e0' }, own),
    error: 'invalid_nonce',
    section: '2.errors/did-registry.4',
  },
  {
    name: 'no-funds',
    title: 'A transaction that costs more than its signer has',
    what: 'The signer offers a gas price that it cannot pay.',
    sign: (unsigned, own) => signed({ ...unsigned, gasPrice: '0xde0b6b3a7640000' }, own),
    error: 'insufficient_funds',
    section: '2.errors/did-registry.4',
  },
  {
    name: 'other-chain',
    title: 'A transaction for another chain',
    what: 'The transaction was signed for chain 1: replayed here it must have no effect.',
    sign: (unsigned, own) => signed({ ...unsigned, chainId: '0x1' }, own),
    error: 'validation_error',
  },
  {
    name: 'other-contract',
    title: 'A transaction to another contract',
    what: 'The transaction is addressed to the TIR: the endpoint is not a relay for other transactions.',
    sign: (unsigned, own, { environment }) =>
      signed({ ...unsigned, to: environment.chain.tirAddress }, own),
    error: 'validation_error',
  },
  {
    name: 'cut-off',
    title: 'A truncated transaction',
    what: 'Its last bytes are missing.',
    sign: (unsigned, own) => signed(unsigned, own).slice(0, -20),
    error: 'validation_error',
    section: '2.errors/did-registry.4',
  },
  {
    name: 'not-hex',
    title: 'A value that is not a transaction',
    what: 'The value is a sentence instead of a transaction.',
    sign: () => 'please add a name',
    error: 'validation_error',
    section: '2.errors/did-registry.4',
  },
]

function refusalScenario(refused: RefusedTransaction, index: number): Scenario {
  const { name, title, what, sign, error, section } = refused
  return defineScenario({
    id: `key-lifecycle/refused-transaction-${name}`,
    title: `${title} is rejected and has no effect`,
    algorithms: oneAlgorithm(index),
    description: `
The registry builds an update for an organization. ${what}

The send endpoint returns 400 with the code \`${error}\`, sends nothing to the chain, and the document does
not change. The transaction that was built is still valid: signed correctly, it is applied afterwards.`,
    references: cite(
      ...(section === undefined ? [] : [`The profile: ${section}`]),
      'Assumptions: A-11',
    ),

    async run(context) {
      const { step, uniqueName } = context
      const { didRegistry } = openRegistries(context)
      const own = await step('An organization registers a DID', () =>
        registerDid(context, 'organization', { isForAssertions: false }),
      )
      const { did } = own
      const namesOf = async () =>
        expectPresent('the document', await didRegistry.resolve(did)).alsoKnownAs
      const former = `urn:oid:organizationIdentifier:VATES-${uniqueName}`
      // The key has sent a transaction before, so that a nonce can be stale.
      await step('It sends a first update', () =>
        openRegistries(context).writeDid('updateAlsoKnownAs', { did, alsoKnownAs: former }, own),
      )
      const unsigned = await step('The registry builds a second one', () => {
        const alsoKnownAs = `urn:example:${uniqueName}`
        return didRegistry.build('updateAlsoKnownAs', { did, alsoKnownAs, from: own.address })
      })
      await step(`${what.split(/[.:]/)[0]}: the registry rejects it`, async () => {
        const signedRawTransaction = sign(unsigned, own, context)
        const answer = await callDidRegistry(context, 'transactions/send', {
          json: { signedRawTransaction },
        })
        expectRegistryRefusal(answer, 400, error)
        expectEqual('alsoKnownAs', await namesOf(), [former])
      })
      await step('Signed correctly, the transaction is applied', async () => {
        const { state } = await didRegistry.send(signed(unsigned, own))
        expectEqual('the transaction', state, 'applied')
        expectEqual('alsoKnownAs', await namesOf(), [`urn:example:${uniqueName}`])
      })
    },
  })
}

type Message = Readonly<Record<string, unknown>> & {
  readonly unsignedTransaction: UnsignedTransaction
}

const otherWord = `0x${'12'.repeat(32)}`

/** The changed member of a signed message, with a label. */
const tamperings: readonly (readonly [string, (message: Message) => Message])[] = [
  ['A different r', (message) => ({ ...message, r: otherWord })],
  ['A different s', (message) => ({ ...message, s: otherWord })],
  ['The other v', (message) => ({ ...message, v: message.v === '0x1b' ? '0x1c' : '0x1b' })],
  ['A different protocol', (message) => ({ ...message, protocol: 'fabric' })],
  ['A different chain', withMember('chainId', '0x1')],
  ['A different receiver', withMember('to', `0x${'11'.repeat(20)}`)],
  ['A different sender', withMember('from', `0x${'22'.repeat(20)}`)],
  ['Different data', withMember('data', '0x12345678')],
  ['A different nonce', withMember('nonce', '0xff')],
  ['More gas', withMember('gasLimit', '0xffffff')],
  ['A price', withMember('gasPrice', '0x1')],
  ['A value', withMember('value', '0x1')],
  ['An invalid raw transaction', (message) => ({ ...message, signedRawTransaction: '0x00' })],
]

function withMember(name: keyof UnsignedTransaction, value: string) {
  return (message: Message): Message => ({
    ...message,
    unsignedTransaction: { ...message.unsignedTransaction, [name]: value },
  })
}

const tamperedTransaction = defineScenario({
  id: 'key-lifecycle/tampered-transaction',
  title: 'sendSignedTransaction rejects a message with any change',
  algorithms: ['ES256K'],
  description: `
The TAO has a transaction built and signs it. Before it is sent, one member at a time is changed: each part
of the signature, each member of the unsigned transaction, the raw transaction. The server compares them
with each other, with the signer, with its network and its contract:

- every change is answered with \`-32602\` and sends nothing to the chain, so the TIR has no entry,
- the unchanged message is accepted.`,
  references: cite('Profile: 2.endpoints/tir', 'Profile: 2.errors/tir'),

  async run(context) {
    const { step, environment } = context
    // A separate account: with the TAO's, other scenarios would send transactions in between.
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
    await step('A message with any change is rejected', async () => {
      for (const [, change] of tamperings) expectRpcError(await send(change(message)), -32602)
    })
    await step('A complete and correct signature of another account is rejected', async () => {
      const stranger = signerOf(tao.privateKey)
      const { raw, ...signature } = signTransaction(
        { ...message.unsignedTransaction, from: stranger.address },
        stranger.privateKey,
      )
      const forged = { ...message, ...signature, signedRawTransaction: raw }
      expectRpcError(await send(forged), -32602)
    })
    await step('No transaction reached the chain', async () => {
      const next = await tir.build('setAttributeData', {
        from: signer.address,
        did: subject.did,
        attributeId: `0x${attributeIdOf(subject)}`,
        attributeData: '0x61',
      })
      expectEqual('the next nonce', next.nonce, message.unsignedTransaction.nonce)
    })
    await step('The unchanged message is accepted', async () => {
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

/** The forms in which a wallet may sign the transaction, with the first byte of each. */
const types = [
  { name: 'access-list', type: 1, prefix: '0x01' },
  { name: 'dynamic-fee', type: 2, prefix: '0x02' },
] as const

function typeScenario({ name, type, prefix }: (typeof types)[number], index: number): Scenario {
  return defineScenario({
    id: `key-lifecycle/transaction-type-${name}`,
    title: `The registry accepts a transaction of type ${prefix}`,
    algorithms: oneAlgorithm(index),
    description: `
The registry builds a transaction, and the client signs it in the form of its library: here a typed
transaction (EIP-2718) that begins with \`${prefix}\`. The send endpoint accepts it, and the change is
applied.`,
    references: cite('Profile: 2.endpoints/did-registry'),

    async run(context) {
      const { step } = context
      const { didRegistry } = openRegistries(context)
      const own = await step('An organization registers a DID', () =>
        registerDid(context, 'organization', { isForAssertions: false }),
      )
      const { did, address: from } = own
      const alsoKnownAs = `urn:example:${name}`
      const raw = await step(`It signs an update as type ${prefix}`, async () => {
        const built = await didRegistry.build('updateAlsoKnownAs', { did, alsoKnownAs, from })
        return signTypedTransaction(built, type, own.privateKey).raw
      })
      await step('The registry applies it', async () => {
        expectEqual('the first byte', raw.slice(0, 4), prefix)
        expectEqual('the transaction', (await didRegistry.send(raw)).state, 'applied')
        const document = expectPresent('the document', await didRegistry.resolve(did))
        expectEqual('alsoKnownAs', document.alsoKnownAs, [alsoKnownAs])
      })
    },
  })
}

export const scenarios = [
  ...cases.map(refusalScenario),
  tamperedTransaction,
  ...types.map(typeScenario),
]
