import { defineTirCheck } from '../context.ts'
import { findNotSent } from '../find-not-sent.ts'
import { signSending } from '../sign-sending.ts'

export const check = defineTirCheck({
  id: 'T49',
  title: 'A transaction for another chain is not sent',
  level: 'spec',
  expectation: 'refuse',
  rows: ['2.endpoints/tir.15', '2.endpoints/tir.16'],
  clauses: ['EIP-155, Specification'],
  description: 'It can never be mined here; a client that gets a hash for it waits for ever.',
  sends: 'sendSignedTransaction of a publication that is signed for the next chain id throughout.',
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
})
