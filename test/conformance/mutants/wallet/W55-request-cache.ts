import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'W55',
  deviation: 'keeps requests by their address and answers the copy',
  patches: [
    {
      file: 'wallet-emulator/actions/resolve-authorization-request.ts',
      find: `const response = await wallet.http.request(parsed.requestUri, {
    headers: { accept: \`\${signedRequestMediaType}, application/json\` },
  })`,
      replace: `const kept = (globalThis.requestsOfMutant ??= new Map())
  const response =
    (isMutant && kept.get(parsed.requestUri)) ||
    (await wallet.http.request(parsed.requestUri, {
      headers: { accept: \`\${signedRequestMediaType}, application/json\` },
    }))
  if (isMutant && response.status === 200) kept.set(parsed.requestUri, response)`,
    },
  ],
}
