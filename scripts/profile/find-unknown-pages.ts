interface SourceFile {
  readonly file: string
  readonly text: string
}

/** `profile/issuer`, where a page or a file path cannot continue. */
const citation = /(?<![\w./-])profile\/([A-Za-z-]+)(?![A-Za-z-]|[\w./-]*\/|\.\w)/g

/** Citations such as `profile/issuer, Errors` of pages that docs/profile does not have. */
export function findUnknownPages(
  pages: ReadonlySet<string>,
  sources: readonly SourceFile[],
): readonly string[] {
  return sources.flatMap(({ file, text }) =>
    [...text.matchAll(citation)]
      .map(([, page = '']) => page)
      .filter((page) => !pages.has(page))
      .map((page) => `${file} cites profile/${page}, which docs/profile does not have`),
  )
}
