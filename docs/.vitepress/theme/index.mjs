// The theme with the fonts of the system: the site loads nothing from elsewhere.
import DefaultTheme from 'vitepress/theme-without-fonts'
import './site.css'

export default DefaultTheme
