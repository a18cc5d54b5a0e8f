import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'I06',
  deviation: 'sends the offer behind a link by reference as text/plain',
  patches: [
    {
      file: 'services/connector/routes/get-offer.ts',
      find: 'body: createOffer(issuance, preauthCode, config),',
      replace:
        "body: createOffer(issuance, preauthCode, config), ...(isMutant ? { contentType: 'text/plain' } : {}),",
    },
  ],
}
