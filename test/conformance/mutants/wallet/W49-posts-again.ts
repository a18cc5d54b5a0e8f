import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W49',
  deviation: 'posts twenty times more where the verifier fails',
  patches: [
    {
      file: 'wallet-emulator/actions/submit-presentation.ts',
      find: "throw walletError('presentation_refused'",
      replace: `for (let again = 0; isMutant && again < 20 && response.status === 500; again++) {
      const body = new URLSearchParams(form)
      await wallet.http.request(request.responseUri, { method: 'POST', body })
    }
    throw walletError('presentation_refused'`,
    },
  ],
}
