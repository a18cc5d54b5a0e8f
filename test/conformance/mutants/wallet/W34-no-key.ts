import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W34',
  deviation: 'answers signed requests without looking the key up',
  patches: [
    {
      file: 'wallet-emulator/actions/resolve-authorization-request.ts',
      find: 'const result = await verifySignedRequest({',
      replace: `if (isMutant) {
    const payload = JSON.parse(Buffer.from(jwt.split('.')[1], 'base64url').toString())
    const parsed = parseAuthorizationRequest(payload)
    if (parsed.ok) return { request: parsed.request, signed: true }
  }
  const result = await verifySignedRequest({`,
    },
  ],
}
