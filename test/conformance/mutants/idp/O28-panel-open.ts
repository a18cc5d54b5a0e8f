import type { Mutant } from '#test/conformance/mutation/mutant.ts'

export const mutant: Mutant = {
  check: 'O28',
  deviation: 'shows the admin panel to everybody',
  patches: [
    {
      file: 'services/idp/admin/define-admin-page.ts',
      find: "if (session === undefined) return leadTo('/admin/login')",
      replace:
        "if (isMutant) return { status: 200, contentType: 'text/html', body: '<h1>Clients</h1>' }\n        if (session === undefined) return leadTo('/admin/login')",
    },
  ],
}
