import type { Mutant } from '../../mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'T41',
  deviation: 'tells the uptime as a text',
  patches: [
    {
      file: 'services/tir/create-tir-service.ts',
      find: 'const uptime = (performance.now() - began) / 1000',
      replace:
        'const seconds = (performance.now() - began) / 1000; const uptime = isMutant ? `${seconds} s` : seconds',
    },
  ],
}
