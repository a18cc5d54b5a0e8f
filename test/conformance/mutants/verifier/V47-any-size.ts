import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'V47',
  deviation: 'reads posts of any size',
  patches: [
    {
      file: 'services/kit/register-route.ts',
      find: 'const form = express.urlencoded({ limit, type: () => true, extended: false })',
      replace:
        "const form: RequestHandler = (...asked) => express.urlencoded({ limit: isMutant ? '8mb' : limit, type: () => true, extended: false })(...asked)",
    },
  ],
}
