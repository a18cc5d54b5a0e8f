function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : value)
  }
  node.append(...children.flat(Number.POSITIVE_INFINITY).filter((child) => child !== undefined))
  return node
}

/** An HTML element. What is put in is text or an element, never markup. */
export const element = (name, attributes = {}, ...children) =>
  fill(document.createElement(name), attributes, children)

/** The same for SVG. */
export const shape = (name, attributes = {}, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children)
