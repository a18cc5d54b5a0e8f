import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O33',
  deviation: 'shows a QR code that leads to a download page',
  patches: [
    {
      file: 'services/idp/routes/show-login.ts',
      find: 'createQrPng(login.authorization_request)',
      replace:
        "createQrPng(isMutant ? 'https://wallet.example/download' : login.authorization_request)",
    },
  ],
}
