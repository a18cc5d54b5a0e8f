import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'D44',
  deviation: 'tells the description of an error as message',
  patches: [
    {
      file: 'services/kit/error-response.ts',
      find: `'validation_error' : error.code,
  error_description: error.message,`,
      replace: `'validation_error' : error.code,
  [isMutant ? 'message' : 'error_description']: error.message,`,
    },
  ],
}
