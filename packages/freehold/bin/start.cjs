"use strict"
// What was compiled is kept, which makes every later start faster.
require("node:module").enableCompileCache()
import("../dist/Freehold.js").then(({ main }) => main())
