const texts = ['', '"', '\\', '\\"', '"\\', '\\\\', '\\\\"', '\\\\\\"', '""', 'a"b', '"\\"']

/**
 * Texts and names that JSON escapes. A reader that does not find their end takes the commas after
 * them for structure, and the same text for a repeated name.
 */
export const escapedTexts = texts.flatMap((text) => [
  { x: text, y: ',', z: ',', '': ',' },
  { [text]: text, x: ',', y: ',', z: ',' },
  [text, { x: ',', y: ',', z: ',' }],
])
