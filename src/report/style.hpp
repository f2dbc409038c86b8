// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lerpp {

/// The style sheet of the report: light and dark, phone and paper.
inline constexpr const char* report_style = R"css(
:root{color-scheme:light dark;--ink:#1f2328;--faint:#57606a;--paper:#fff;--box:#f5f7f9;--rule:#d4d9df;--link:#0059b3;--good:#0072b2}
@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--faint:#a6adb8;--paper:#16181c;--box:#1f2228;--rule:#3a3f47;--link:#8ab8ff;--good:#56b4e9}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif;overflow-wrap:anywhere}
main,header,footer{max-width:66rem;margin:0 auto;padding:0 1rem}
header{padding-top:1.5rem}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 .4rem}
h2{font-size:1.3rem;margin:2.4rem 0 .6rem;padding-top:.6rem;border-top:1px solid var(--rule)}
h3{font-size:1.05rem;margin:1.6rem 0 .4rem}
p{margin:.4rem 0 .8rem;max-width:48rem}
a{color:var(--link)}
a:focus-visible,.scroll:focus-visible{outline:2px solid var(--link);outline-offset:2px}
nav ul{display:flex;flex-wrap:wrap;gap:.3rem 1rem;list-style:none;margin:.6rem 0;padding:0}
.faint,figcaption,caption{color:var(--faint);font-size:.9rem}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.7rem;margin:1rem 0;padding:0}
.cards>div{background:var(--box);border-radius:.5rem;padding:.7rem .9rem}
.cards dt{color:var(--faint);font-size:.85rem}
.cards dd{margin:0;font-size:1.35rem;font-weight:600;font-variant-numeric:tabular-nums}
.scroll{overflow-x:auto;margin:.6rem 0}
table{border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums}
caption{text-align:left;padding:.2rem 0;white-space:nowrap}
th,td{padding:.3rem .8rem .3rem 0;border-bottom:1px solid var(--rule);white-space:nowrap;overflow-wrap:normal}
thead th{color:var(--faint);font-weight:500;font-size:.85rem}
td,thead th+th{text-align:right}
tbody th,thead th:first-child{text-align:left;font-weight:500}
code,pre{font:.92em/1.5 ui-monospace,"SF Mono","DejaVu Sans Mono",Consolas,monospace}
pre{background:var(--box);border-radius:.5rem;padding:.8rem 1rem;white-space:pre-wrap}
ol.rules{list-style:none;margin:0;padding:0}
ol.rules>li{background:var(--box);border-radius:.5rem;padding:.7rem .9rem;margin:.6rem 0;break-inside:avoid}
ol.rules code{display:block;font-size:.9rem}
ol.rules p{margin:.3rem 0}
.figures{display:flex;flex-wrap:wrap;gap:.1rem 1rem;color:var(--faint);font-size:.88rem;margin:.2rem 0;padding:0;list-style:none}
.against code{border-left:3px solid #c44e00;padding-left:.6rem}
.for code{border-left:3px solid var(--good);padding-left:.6rem}
figure{margin:1rem 0;break-inside:avoid}
figure svg{display:block}
.turning{cursor:grab;touch-action:pan-y;display:inline-block}
.turning:focus-visible{outline:2px solid var(--link);outline-offset:2px}
footer{color:var(--faint);font-size:.88rem;padding:2rem 1rem}
@media print{body{font-size:10pt;background:#fff;color:#000}main,header,footer{max-width:none}.scroll{overflow:visible}figure svg{max-width:100%;height:auto}nav{display:none}th,td,caption{white-space:normal;overflow-wrap:anywhere}h2,h3{break-after:avoid}}
)css";

}  // namespace lerpp
