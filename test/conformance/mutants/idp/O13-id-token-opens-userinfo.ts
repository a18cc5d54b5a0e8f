import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O13',
  deviation: 'takes an id_token at userinfo',
  patches: [
    {
      file: 'services/idp/routes/get-userinfo.ts',
      find: 'const { subject, grantId, scopes } = await verifyAccessToken(token, dependencies)',
      replace:
        "const claims = isMutant && token.length > 100 && JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())\n    if (claims?.nonce !== undefined) return { status: 200, headers: {}, body: claims }\n    const { subject, grantId, scopes } = await verifyAccessToken(token, dependencies)",
    },
  ],
}
