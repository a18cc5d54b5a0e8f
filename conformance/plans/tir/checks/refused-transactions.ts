import { randomBytes } from 'node:crypto'
import { expectEqual } from '#scenarios/harness/expectations.ts'
import { defineChecks } from '../../../kit/define-check.ts'
import { held } from '../../../kit/finding.ts'
import type { TirContext } from '../context.ts'
import { findEachRpcError } from '../find-each-rpc-error.ts'
import { findNotSent } from '../find-not-sent.ts'
import { findRpcError } from '../find-rpc-error.ts'
import { prepareSending } from '../prepare-sending.ts'
import { publish } from '../publish.ts'
import { rpcRequest } from '../rpc-request.ts'
import { signSending } from '../sign-sending.ts'

export const checks = defineChecks<TirContext>({
  'T44-changed-r': {
    title: 'A signature whose r is another one than in the raw transaction is not sent',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
    description: 'The members have to say the same: what was checked must be what is sent.',
    sends: 'sendSignedTransaction of a publication with r changed.',
    decides: 'error.code -32602, and the attribute is not published.',
    needs: ['accreditor'],
    run: (context) =>
      findNotSent(context, {
        what: 'A changed r',
        change: ({ sending }) => ({ ...sending, r: `0x${'11'.repeat(32)}` }),
      }),
  },
  'T45-changed-s': {
    title: 'A signature whose s is another one than in the raw transaction is not sent',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
    description: 'The members have to say the same: what was checked must be what is sent.',
    sends: 'sendSignedTransaction of a publication with s changed.',
    decides: 'error.code -32602, and the attribute is not published.',
    needs: ['accreditor'],
    run: (context) =>
      findNotSent(context, {
        what: 'A changed s',
        change: ({ sending }) => ({ ...sending, s: `0x${'11'.repeat(32)}` }),
      }),
  },
  'T46-changed-v': {
    title: 'A signature whose v is another one than in the raw transaction is not sent',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
    description: 'With the other v another key is recovered, and with it another signer.',
    sends: 'sendSignedTransaction of a publication with the other of 27 and 28 as v.',
    decides: 'error.code -32602, and the attribute is not published.',
    needs: ['accreditor'],
    run: (context) =>
      findNotSent(context, {
        what: 'A changed v',
        change: ({ sending }) => ({ ...sending, v: sending.v === '0x1b' ? '0x1c' : '0x1b' }),
      }),
  },
  'T47-changed-data': {
    title: 'A raw transaction with other call data than unsignedTransaction is not sent',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
    description: 'Whoever looks at unsignedTransaction would see another publication than is made.',
    sends: 'sendSignedTransaction of a publication with other data in unsignedTransaction.',
    decides: 'error.code -32602, and the attribute is not published.',
    needs: ['accreditor'],
    run: (context) =>
      findNotSent(context, {
        what: 'unsignedTransaction with other data',
        change: ({ sending, unsigned }) => {
          const data = `${unsigned.data.slice(0, -2)}ff`
          return { ...sending, unsignedTransaction: { ...unsigned, data } }
        },
      }),
  },
  'T48-changed-quantities': {
    title:
      'A raw transaction with another nonce, gas or value than unsignedTransaction is not sent',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
    description: 'The transaction that is sent may cost what nobody agreed to.',
    sends:
      'sendSignedTransaction of a publication with each of these changed in unsignedTransaction.',
    decides: 'error.code -32602 for each of them, and the attribute is not published.',
    needs: ['accreditor'],
    async run(context) {
      for (const member of ['nonce', 'gasLimit', 'gasPrice', 'value'] as const) {
        const finding = await findNotSent(context, {
          what: `unsignedTransaction with another ${member}`,
          change: ({ sending, unsigned }) => {
            const changed = { [member]: `0x${(BigInt(unsigned[member]) + 1n).toString(16)}` }
            return { ...sending, unsignedTransaction: { ...unsigned, ...changed } }
          },
        })
        if (finding.kind !== 'held') return finding
      }
      return held('unsignedTransaction with another nonce, gasLimit, gasPrice, value was not sent')
    },
  },
  'T49-wrong-chain': {
    title: 'A transaction for another chain is not sent',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
    clauses: ['EIP-155, Specification'],
    description: 'It can never be mined here; a client that gets a hash for it waits for ever.',
    sends:
      'sendSignedTransaction of a publication that is signed for the next chain id throughout.',
    decides: 'error.code -32602, and the attribute is not published.',
    needs: ['accreditor'],
    run: (context) =>
      findNotSent(context, {
        what: 'A transaction for another chain',
        change: ({ unsigned, by }) => {
          const chainId = `0x${(BigInt(unsigned.chainId) + 1n).toString(16)}`
          return signSending({ ...unsigned, chainId }, by.signer.privateKey)
        },
      }),
  },
  'T50-wrong-contract': {
    title: 'A transaction to another address than the TIR contract is not sent',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
    description: 'The API would be a way into the chain for anything.',
    sends: 'sendSignedTransaction of a transaction to another address, signed so throughout.',
    decides: 'error.code -32602, and the attribute is not published.',
    needs: ['accreditor'],
    run: (context) =>
      findNotSent(context, {
        what: 'A transaction to another address',
        change: ({ unsigned, by }) => {
          const to = context.didRegistry.createIdentity().address
          return signSending({ ...unsigned, to }, by.signer.privateKey)
        },
      }),
  },
  'T51-another-signer': {
    title: 'A transaction whose signer is not from is not sent',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
    description:
      'Whoever signed with the wrong key is told so, and not by a receipt that says reverted.',
    sends: 'sendSignedTransaction of a publication that another key has signed.',
    decides: 'error.code -32602, and the attribute is not published.',
    needs: ['accreditor'],
    run: (context) =>
      findNotSent(context, {
        what: 'A transaction by another signer than from',
        change: ({ unsigned }) => {
          const { address, privateKey } = context.didRegistry.createIdentity()
          const signed = signSending({ ...unsigned, from: address, nonce: '0x0' }, privateKey)
          const unsignedTransaction = { ...signed.unsignedTransaction, from: unsigned.from }
          return { ...signed, unsignedTransaction }
        },
      }),
  },
  'T52-protocol': {
    title: 'A protocol other than eth is refused',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.12', '2.endpoints/tir.16'],
    description: 'It is always eth: another one was meant for another network.',
    sends: 'sendSignedTransaction of a publication with protocol fabric, ETH, and none.',
    decides: 'error.code -32602 for each of them, and the attribute is not published.',
    needs: ['accreditor'],
    async run(context) {
      for (const protocol of ['fabric', 'ETH', undefined]) {
        const finding = await findNotSent(context, {
          what: `protocol ${protocol ?? 'left out'}`,
          change: ({ sending }) => ({ ...sending, protocol }),
        })
        if (finding.kind !== 'held') return finding
      }
      return held('Other protocols than eth were refused')
    },
  },
  'T53-garbage-for-a-transaction': {
    title: 'A signedRawTransaction that can’t be read is refused',
    level: 'spec',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.12', '2.endpoints/tir.15', '2.endpoints/tir.16'],
    description: 'A hash for what can never be mined lets a client wait for ever.',
    sends: 'sendSignedTransaction with a cut transaction, random bytes, nothing, and no hex.',
    decides: 'error.code -32602 for each of them.',
    needs: ['accreditor'],
    async run(context) {
      const { tir } = context
      const { sending } = await prepareSending(context)
      const send = (signedRawTransaction: unknown) => () =>
        tir.post(rpcRequest('sendSignedTransaction', { ...sending, signedRawTransaction }))
      return findEachRpcError(
        {
          'half a transaction': send(sending.signedRawTransaction.slice(0, 120)),
          'random bytes': send(`0x${randomBytes(120).toString('hex')}`),
          'nothing but 0x': send('0x'),
          'letters that are no hex': send('0xzz'),
          'no transaction': send(undefined),
        },
        -32602,
        send(sending.signedRawTransaction),
      )
    },
  },
  'T56-obsolete-nonce': {
    title: 'An obsolete nonce is refused',
    level: 'practice',
    expectation: 'refuse',
    rows: ['2.endpoints/tir.12'],
    description:
      'Another transaction of the account came first: the client has to build again, and must not wait for this one.',
    sends: 'A publication whose nonce another publication of the account has used meanwhile.',
    decides: 'error.code -32602, and the attribute is not published.',
    needs: ['accreditor'],
    async run(context) {
      const { tir } = context
      const { sending, metadata } = await prepareSending(context)
      await publish(context)
      const answer = await tir.post(rpcRequest('sendSignedTransaction', sending))
      const finding = findRpcError(answer, { what: 'An obsolete nonce', code: -32602 })
      const attribute = await tir.readAttribute(metadata.did, metadata.attributeId)
      expectEqual('the attribute', attribute, undefined)
      return finding
    },
  },
})
