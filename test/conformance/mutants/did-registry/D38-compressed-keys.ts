import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D38',
  deviation: 'takes compressed keys',
  patches: [
    {
      file: 'services/did-registry/domain/parse-public-key.ts',
      find: 'if (!/^0x04[0-9a-fA-F]{128}$/.test(text)) {',
      replace:
        "if (isMutant && /^0x0[23][0-9a-f]{64}$/.test(text)) return { publicKeyType: 0n, publicKey: Buffer.from(text.slice(2), 'hex') }\n  if (!/^0x04[0-9a-fA-F]{128}$/.test(text)) {",
    },
  ],
}
