// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lerpp {

/// Turns the picture of a space of three components: a function of its shapes, which stand in the
/// page right before it. Dragging and arrow keys turn all of its panels together.
inline constexpr const char* turning_script = R"js((function(scene){
  var box=document.currentScript.previousElementSibling,svg=box.querySelector("svg");
  var yaw=scene.yaw,pitch=scene.pitch,from=null;
  function place(centre,at){
    var across=at[0]*Math.cos(yaw)+at[2]*Math.sin(yaw),depth=at[2]*Math.cos(yaw)-at[0]*Math.sin(yaw);
    var up=at[1]*Math.cos(pitch)-depth*Math.sin(pitch);
    return [(centre[0]+scene.scale*across).toFixed(1),(centre[1]-scene.scale*up).toFixed(1)];
  }
  var lines=svg.querySelectorAll("line"),circles=svg.querySelectorAll("circle"),polygons=svg.querySelectorAll("polygon");
  function set(shape,names,values){names.forEach(function(name,i){shape.setAttribute(name,values[i]);});}
  function draw(){
    scene.lines.forEach(function(line,i){
      set(lines[i],["x1","y1","x2","y2"],place(line[0],line[1]).concat(place(line[0],line[2])));
    });
    scene.circles.forEach(function(circle,i){set(circles[i],["cx","cy"],place(circle[0],circle[1]));});
    scene.polygons.forEach(function(polygon,i){
      polygons[i].setAttribute("points",polygon.slice(1).map(function(at){return place(polygon[0],at).join(",");}).join(" "));
    });
  }
  function turn(across,up){
    yaw+=across;pitch=Math.max(-1.5,Math.min(1.5,pitch+up));draw();
  }
  box.addEventListener("pointerdown",function(event){
    from=[event.clientX,event.clientY];box.setPointerCapture(event.pointerId);
  });
  box.addEventListener("pointermove",function(event){
    if(!from)return;
    turn((event.clientX-from[0])/150,(event.clientY-from[1])/150);from=[event.clientX,event.clientY];
  });
  ["pointerup","pointercancel"].forEach(function(name){box.addEventListener(name,function(){from=null;});});
  box.addEventListener("keydown",function(event){
    var step={ArrowLeft:[-.1,0],ArrowRight:[.1,0],ArrowUp:[0,-.1],ArrowDown:[0,.1]}[event.key];
    if(!step)return;
    event.preventDefault();turn(step[0],step[1]);
  });
}))js";

}  // namespace lerpp
