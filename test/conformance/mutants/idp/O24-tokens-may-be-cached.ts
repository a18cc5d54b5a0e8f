import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O24',
  deviation: 'sends tokens without Cache-Control: no-store',
  patches: [
    {
      file: 'node_modules/oidc-provider/lib/shared/no_cache.js',
      find: "ctx.set('cache-control', 'no-store');",
      replace: "if (!isMutant) ctx.set('cache-control', 'no-store');",
    },
  ],
}
