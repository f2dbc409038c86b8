// SPDX-License-Identifier: Apache-2.0
import { render } from "preact";
import { App } from "./App";
import "./style/base.css";
import "./style/parts.css";
import "./style/views.css";

const place = document.getElementById("app");
if (place) render(<App />, place);
