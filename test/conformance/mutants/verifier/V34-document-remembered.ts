import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V34',
  deviation: 'remembers DID documents for ever',
  patches: [
    {
      file: 'core/lear-credential/verify-lear-credential.ts',
      find: `const key = \`\${did} \${validAt ?? 'now'}\``,
      replace: `const key = isMutant ? did : \`\${did} \${validAt ?? 'now'}\``,
    },
    {
      file: 'core/lear-credential/verify-lear-credential.ts',
      find: 'const known = new Map<string, Promise<Lookup<DidDocument>>>()',
      replace:
        'const known: Map<string, Promise<Lookup<DidDocument>>> = isMutant ? (globalThis.rememberedDocuments ??= new Map()) : new Map()',
    },
  ],
}
