import { defineTirCheck } from '../context.ts'
import { findNotSent } from '../find-not-sent.ts'
import { signSending } from '../sign-sending.ts'

export const check = defineTirCheck({
  id: 'T51',
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
})
