import { defineTirCheck } from '../context.ts'
import { findNotSent } from '../find-not-sent.ts'
import { signSending } from '../sign-sending.ts'

export const check = defineTirCheck({
  id: 'T50',
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
})
