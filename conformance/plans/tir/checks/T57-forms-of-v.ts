import { expectEqual } from '#scenarios/harness/expectations.ts'
import { held } from '../../../kit/finding.ts'
import { defineTirCheck } from '../context.ts'
import { prepareSending } from '../prepare-sending.ts'
import { requireResult } from '../require-result.ts'
import { rpcRequest } from '../rpc-request.ts'

export const check = defineTirCheck({
  id: 'T57',
  title: 'v is taken as 27 or 28, as 0 or 1, and with the chain in it',
  level: 'practice',
  expectation: 'accept',
  rows: ['2.endpoints/tir.12'],
  clauses: ['EIP-155, Specification'],
  description: 'Libraries differ in the form of v; all three say the same.',
  sends: 'Three publications, each with another form of v.',
  decides: 'All are taken, and their receipts have status 0x1.',
  needs: ['accreditor'],
  async run(context) {
    const { tir } = context
    for (const form of ['27 or 28', '0 or 1', 'EIP-155']) {
      const { sending, unsigned } = await prepareSending(context)
      const parity = BigInt(sending.v) - 27n
      const base = { '27 or 28': 27n, '0 or 1': 0n, 'EIP-155': BigInt(unsigned.chainId) * 2n + 35n }
      const v = `0x${((base[form as keyof typeof base] ?? 0n) + parity).toString(16)}`
      const answer = await tir.post(rpcRequest('sendSignedTransaction', { ...sending, v }))
      const hash = String(requireResult(answer, `v as ${form}`))
      const { status } = await tir.awaitReceipt(hash)
      expectEqual(`status of the receipt with v as ${form}`, status, '0x1')
    }
    return held('All three forms of v are taken')
  },
})
